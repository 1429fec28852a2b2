/** Signs that a terminal obeys instead of showing them, and those that turn the text around. */
const obeyed =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text with such signs as escapes, which in JSON mean the same; lines and tabs stay. */
export function printable(text: string): string {
  return text.replace(obeyed, escaped);
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, escaped);
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
