import type { SourceFile } from './source-file.js';

/** One rule of the house that a single file can break. */
export interface FileRule {
  /** The rule, as the name of its test. */
  readonly sentence: string;
  /** Every breach, each with its file and line. */
  readonly findings: (file: SourceFile) => readonly string[];
}
