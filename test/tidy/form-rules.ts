import ts from 'typescript';
import type { FileRule } from './file-rule.js';
import type { SourceFile } from './source-file.js';

// In two halves, so that this file does not find itself.
const postponed = new RegExp(`\\b(TO${'DO'}|FIX${'ME'}|XX${'X'})\\b`);
const narrowed = new Set(['skip', 'only', 'todo', 'failing']);
const narrowed_names = new Set(['xit', 'fit', 'xtest', 'xdescribe', 'fdescribe']);

export const formRules: readonly FileRule[] = [
  {
    sentence: 'nothing is exported as default, except what Jest asks for by that name',
    // A declaration says what another package exports.
    findings: (file) =>
      (/^test\/support\/global-(setup|teardown)\.ts$|\.d\.ts$/.test(file.path) ? [] : file.nodes())
        .filter(
          (node) =>
            ts.isExportAssignment(node) ||
            (ts.isExportSpecifier(node) && node.name.text === 'default') ||
            node.kind === ts.SyntaxKind.DefaultKeyword,
        )
        .filter((node) => !ts.isDefaultClause(node.parent))
        .map((node) => file.finding(file.lineOf(node), 'a default export')),
  },
  {
    sentence: 'no type is `any`',
    findings: (file) =>
      file
        .nodes()
        .filter(({ kind }) => kind === ts.SyntaxKind.AnyKeyword)
        .map((node) => file.finding(file.lineOf(node), '`any`')),
  },
  {
    sentence: 'no file is a barrel, except the one that bears the name of its library',
    findings: (file) => {
      if (!file.isTypeScript || /^libs\/([^/]+)\/src\/\1\.ts$/.test(file.path)) return [];
      return isBarrel(file) ? [file.finding(1, 'only passes on what others export')] : [];
    },
  },
  {
    sentence: 'no mark puts work off',
    findings: (file) =>
      file.lines.flatMap((line, index) =>
        postponed.test(line) ? [file.finding(index + 1, line.trim())] : [],
      ),
  },
  {
    sentence: 'no test is skipped and none runs alone',
    findings: (file) =>
      file
        .nodes()
        .filter(
          (node) =>
            (ts.isIdentifier(node) && narrowed_names.has(node.text)) ||
            (ts.isPropertyAccessExpression(node) &&
              narrowed.has(node.name.text) &&
              /^(describe|it|test)\b/.test(node.expression.getText(file.syntax))),
        )
        .map((node) => file.finding(file.lineOf(node), node.getText(file.syntax))),
  },
  {
    sentence: 'the name of a spec says its tier: unit, int or e2e',
    findings: (file) =>
      file.isSpec &&
      file.path !== 'test/tidy.spec.ts' &&
      !file.path.startsWith('test/tour/') &&
      !/\.(unit|int|e2e)\.spec\.ts$/.test(file.path)
        ? [file.finding(1, 'a spec without a tier')]
        : [],
  },
  {
    sentence: 'an app that speaks TypeORM speaks of a record',
    findings: (file) => {
      if (!file.path.startsWith('apps/') || file.isSpec) return [];
      const imports = file.isTypeScript ? importedPaths(file) : [];
      return imports.includes('typeorm') && !imports.some((path) => path.endsWith('.record.js'))
        ? [file.finding(1, 'imports typeorm and no record')]
        : [];
    },
  },
];

function isBarrel(file: SourceFile): boolean {
  const statements = file.syntax.statements;
  return (
    file.path.endsWith('/index.ts') ||
    (statements.length > 0 &&
      statements.every((node) => ts.isExportDeclaration(node) && node.moduleSpecifier))
  );
}

function importedPaths(file: SourceFile): readonly string[] {
  return file.syntax.statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text);
}
