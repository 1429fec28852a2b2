import { basename } from 'node:path';
import ts from 'typescript';
import type { FileRule } from './file-rule.js';
import type { SourceFile } from './source-file.js';

const empty_words = /^(managers?|helpers?|utils?|utility|utilities|common|misc|info)$/;

/** Names that say nothing about the field. */
export const nameRules: readonly FileRule[] = [
  {
    sentence: 'the name of a file or folder is a noun of the field',
    findings: (file) =>
      file.path
        .split('/')
        .map((part) => basename(part).replace(/\.[a-z]+$/, ''))
        .filter((part) => isEmptyName(part))
        .map((part) => file.finding(1, `the name "${part}"`)),
  },
  {
    sentence: 'the name of a class, type or function is a noun of the field',
    findings: (file) =>
      declaredNames(file)
        .filter(({ text }) => isEmptyName(text))
        .map((name) => file.finding(file.lineOf(name), `the name "${name.text}"`)),
  },
  {
    sentence: 'nothing "processes": a function says what it does',
    findings: (file) =>
      declaredNames(file)
        .filter(({ text }) => /^process([A-Z]|$)/.test(text))
        .map((name) => file.finding(file.lineOf(name), `the name "${name.text}"`)),
  },
];

/** `UserHelper` → `user`, `helper`; one empty word spoils the name, `data` only alone. */
function isEmptyName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => empty_words.test(word)) || words.join(' ') === 'data';
}

function declaredNames(file: SourceFile): readonly ts.Identifier[] {
  return file.nodes().flatMap((node) => {
    const names =
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      (ts.isVariableDeclaration(node) && isFunction(node.initializer));
    return names && node.name !== undefined && ts.isIdentifier(node.name) ? [node.name] : [];
  });
}

function isFunction(node: ts.Expression | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
}
