import { StatementRefusedError } from './statement.js';

/** How ClickHouse tells an error over HTTP. */
export interface Exception {
  readonly code: number;
  readonly status: number;
  /** `Code: 60. DB::Exception: …. (UNKNOWN_TABLE) (version …)` and a line end. */
  readonly text: string;
}

/** ClickHouse's HTTP statuses by its error numbers; any other error is a 500. */
const status_by_code: Readonly<Record<number, number>> = {
  // Not understood: syntax, literals, types, unknown names of functions and settings.
  ...codes(
    400,
    [6, 26, 27, 36, 38, 41, 42, 43, 44, 46, 50, 53, 62, 63, 69, 70, 72, 115, 130, 215, 456, 457],
  ),
  // Names that do not exist: columns, tables, databases.
  ...codes(404, [16, 47, 60, 81]),
  ...codes(403, [497, 516]),
  ...codes(413, [307, 396]),
  ...codes(429, [202]),
  ...codes(501, [48]),
};

/** Turns whatever the engine threw into an answer; the text is the engine's own. */
export function toException(error: unknown, version: string): Exception {
  if (error instanceof StatementRefusedError) {
    return render(error.code, `${error.message} (${error.kind})`, version);
  }
  const text = error instanceof Error ? error.message : String(error);
  // The last mark is the innermost error; the engine repeats the outer ones around it.
  const match = /Code: (\d+)\. DB::Exception: ([\s\S]*)$/.exec(text);
  return match === null
    ? render(1002, `${text} (UNKNOWN_EXCEPTION)`, version)
    : render(Number(match[1]), match[2]!.trim(), version);
}

function render(code: number, message: string, version: string): Exception {
  return {
    code,
    status: status_by_code[code] ?? 500,
    text: `Code: ${code}. DB::Exception: ${message} (version ${version})\n`,
  };
}

function codes(status: number, numbers: readonly number[]): Record<number, number> {
  return Object.fromEntries(numbers.map((number) => [number, status]));
}
