/** A name as a part of a JSON pointer, RFC 6901: `a/b` → `a~1b`. */
export function escapedPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
