import { escapedPointerToken } from './json-pointer.js';

/**
 * JSON pointers of what holds half a surrogate pair: texts, and objects with such a name. That is
 * no Unicode and has no form in UTF-8, so stores refuse it or write something else in its place.
 * `value` must come out of `JSON.parse` and be nested no deeper than a stack is.
 */
export function malformedTexts(value: unknown, pointer = ''): readonly string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [pointer];
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  const named = Array.isArray(value) || members.every(([name]) => name.isWellFormed());
  if (!named) return [pointer];
  return members.flatMap(([name, member]) =>
    malformedTexts(member, `${pointer}/${escapedPointerToken(name)}`),
  );
}
