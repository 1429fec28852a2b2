import ts from 'typescript';
import type { FileRule } from './file-rule.js';
import type { SourceFile } from './source-file.js';

const columns_max = 100;
const function_lines_max = 60;
const file_lines_max = 300;
const constructor_parameters_max = 5;
const use_case_imports_max = 12;
const readme_lines_max = 150;
const decision_lines_max = 30;

export const sizeRules: readonly FileRule[] = [
  {
    // The formatter never breaks an import of one name.
    sentence: `a line of code has at most ${columns_max} columns, an import of one name apart`,
    findings: (file) =>
      /\.(ts|js)$/.test(file.path)
        ? file.lines.flatMap((line, index) =>
            [...line].length > columns_max && !/^import [^,]* from '[^']*';$/.test(line)
              ? [file.finding(index + 1, `${[...line].length} columns`)]
              : [],
          )
        : [],
  },
  {
    sentence: `a function has at most ${function_lines_max} lines, signature and comments included`,
    findings: (file) =>
      file
        .nodes()
        .filter(isFunctionWithBody)
        .filter((node) => !declaresTests(file, node))
        .flatMap((node) => {
          const line = file.lineOf(firstWord(node));
          const length = file.lastLineOf(node) - line + 1;
          return length > function_lines_max
            ? [file.finding(line, `a function of ${length} lines`)]
            : [];
        }),
  },
  {
    sentence: `a file of code has at most ${file_lines_max} lines`,
    findings: (file) => (/\.(ts|js)$/.test(file.path) ? longerThan(file, file_lines_max) : []),
  },
  {
    sentence: `a constructor has at most ${constructor_parameters_max} parameters`,
    findings: (file) =>
      file
        .nodes()
        .filter(ts.isConstructorDeclaration)
        .filter(({ parameters }) => parameters.length > constructor_parameters_max)
        .map((node) => file.finding(file.lineOf(node), `${node.parameters.length} parameters`)),
  },
  {
    sentence: `a use case imports from at most ${use_case_imports_max} places`,
    findings: (file) => {
      if (!/\.(command|query)\.ts$/.test(file.path)) return [];
      const imports = file.syntax.statements.filter(ts.isImportDeclaration);
      return imports.length > use_case_imports_max
        ? [file.finding(1, `${imports.length} imports`)]
        : [];
    },
  },
  {
    sentence: `the README has at most ${readme_lines_max} lines`,
    findings: (file) => (file.path === 'README.md' ? longerThan(file, readme_lines_max) : []),
  },
  {
    sentence: `a decision record has at most ${decision_lines_max} lines`,
    findings: (file) =>
      file.path.startsWith('docs/decisions/') ? longerThan(file, decision_lines_max) : [],
  },
];

function longerThan(file: SourceFile, most: number): readonly string[] {
  return file.lines.length > most ? [file.finding(most + 1, `${file.lines.length} lines`)] : [];
}

type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

function isFunctionWithBody(node: ts.Node): node is FunctionWithBody {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** Decorators describe a method, they are none of its lines. */
function firstWord(node: FunctionWithBody): ts.Node {
  return node.modifiers?.find((modifier) => !ts.isDecorator(modifier)) ?? node.name ?? node;
}

/** A suite is a list of tests and may be long; the body of a test may not. */
function declaresTests(file: SourceFile, node: FunctionWithBody): boolean {
  if (!/\.(spec|contract)\.ts$/.test(file.path)) return false;
  const caller = node.parent;
  if (ts.isCallExpression(caller) && calledName(caller) === 'describe') return true;
  if (!ts.isBlock(node.body)) return false;
  return node.body.statements.some(
    (statement) =>
      ts.isExpressionStatement(statement) &&
      ts.isCallExpression(statement.expression) &&
      ['describe', 'it', 'test'].includes(calledName(statement.expression)),
  );
}

/** `describe` of `describe(…)`, `describe.each(…)(…)` and their like. */
function calledName(call: ts.CallExpression): string {
  let callee: ts.Expression = call.expression;
  for (;;) {
    if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) {
      callee = callee.expression;
    } else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag;
    else return ts.isIdentifier(callee) ? callee.text : '';
  }
}
