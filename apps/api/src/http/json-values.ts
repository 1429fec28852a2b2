const [quote, backslash, comma, brace, bracket] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

/**
 * Counts the values of a JSON text without parsing it, and stops above `most`: small objects take
 * ten times the memory of their text, so somebody has to look before they are made. What is no
 * JSON is counted somehow; parsing will tell.
 */
export function countJsonValues(text: Buffer, most: number): number {
  let values = 1;
  for (let at = 0; at < text.length && values <= most; at += 1) {
    const byte = text[at];
    if (byte === quote) at = endOfString(text, at);
    else if (byte === comma || byte === brace || byte === bracket) values += 1;
  }
  return values;
}

/** Where the string that begins at `start` ends; the end of the text when it does not. */
function endOfString(text: Buffer, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf(quote, at + 1);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text[at - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
