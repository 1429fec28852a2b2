const name_width = 13;

/** Writes the lines of a child to standard output, each behind the child's name. */
export function linesOf(name: string): (line: string) => void {
  const prefix = `${name.padEnd(name_width)} | `;
  return (line) => void process.stdout.write(`${prefix}${line}\n`);
}
