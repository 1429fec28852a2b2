import { escapedPointerToken } from './json-pointer.js';

/**
 * JSON pointers of what holds half a surrogate pair: texts, and objects with such a name; at most
 * `most`. That is no Unicode and has no form in UTF-8, so stores refuse it or write something else
 * in its place. `value` must come out of `JSON.parse` and be nested no deeper than a stack is.
 */
export function malformedTexts(value: unknown, most: number): readonly string[] {
  const found: string[] = [];
  collect(value, '', found, most);
  return found;
}

function collect(value: unknown, pointer: string, found: string[], most: number): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) found.push(pointer);
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    const named = Array.isArray(value) || members.every(([name]) => name.isWellFormed());
    if (!named) found.push(pointer);
    else {
      for (const [name, member] of members) {
        if (found.length >= most) return;
        collect(member, `${pointer}/${escapedPointerToken(name)}`, found, most);
      }
    }
  }
}
