import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const trees = ['apps', 'libs', 'test', 'docs'];
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];

/** A file that people write, with what the rules ask about it. */
export class SourceFile {
  readonly lines: readonly string[];
  private parsed: ts.SourceFile | undefined;

  /** `path` is relative to the repository, with forward slashes. */
  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    this.lines = text.replace(/\n$/, '').split('\n');
  }

  get isTypeScript(): boolean {
    return this.path.endsWith('.ts');
  }

  get isSpec(): boolean {
    return this.path.endsWith('.spec.ts');
  }

  get syntax(): ts.SourceFile {
    this.parsed ??= ts.createSourceFile(this.path, this.text, ts.ScriptTarget.Latest, true);
    return this.parsed;
  }

  /** Every node of the syntax tree; none for a file that is not TypeScript. */
  nodes(): readonly ts.Node[] {
    if (!this.isTypeScript) return [];
    const found: ts.Node[] = [];
    const visit = (node: ts.Node): void => {
      found.push(node);
      ts.forEachChild(node, visit);
    };
    visit(this.syntax);
    return found;
  }

  /** The line a node begins on, counted from 1, comments and decorators apart. */
  lineOf(node: ts.Node): number {
    return this.syntax.getLineAndCharacterOfPosition(node.getStart(this.syntax)).line + 1;
  }

  /** The line a node ends on, counted from 1. */
  lastLineOf(node: ts.Node): number {
    return this.syntax.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
  }

  /** A finding as an editor understands it: `libs/domain/src/limits.ts:12: what is wrong`. */
  finding(line: number, wrong: string): string {
    return `${this.path}:${line}: ${wrong}`;
  }
}

/** The sources and pages of the repository, without anything built, installed or stored. */
export function readSourceFiles(repository: string): readonly SourceFile[] {
  const paths = [...trees.flatMap((tree) => walk(repository, tree)), ...pages];
  return paths
    .filter((path) => /\.(ts|js|md|json)$/.test(path))
    .filter((path) => statSync(join(repository, path), { throwIfNoEntry: false })?.isFile())
    .map((path) => new SourceFile(path, readFileSync(join(repository, path), 'utf8')));
}

function walk(repository: string, folder: string): readonly string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules' && !name.startsWith('.'))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? walk(repository, path) : [path];
    });
}
