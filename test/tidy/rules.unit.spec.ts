import { describe, expect, it } from '@jest/globals';
import { formRules } from './form-rules.js';
import { nameRules } from './name-rules.js';
import { sizeRules } from './size-rules.js';
import { SourceFile } from './source-file.js';

const rules = [...sizeRules, ...formRules, ...nameRules];
const app = 'apps/api/src';
const imports = (count: number) =>
  Array.from({ length: count }, (_, index) => `import './part-${index}.js';`).join('\n');
const lines = (count: number, line = 'x();') => `${line}\n`.repeat(count);

/** One file per rule that breaks it, and the line where it does. */
const breaches: readonly (readonly [rule: string, path: string, text: string, line: number])[] = [
  ['columns', `${app}/a.ts`, `\nconst a = '${'a'.repeat(100)}';\n`, 2],
  ['a function has', `${app}/a.ts`, `\nfunction a() {\n${lines(59)}}\n`, 2],
  ['a function has', `${app}/a.ts`, `class A {\n  @B()\n  async a() {\n${lines(59)}}\n}\n`, 3],
  ['a function has', `${app}/a.unit.spec.ts`, `it('does', () => {\n${lines(59)}});\n`, 1],
  ['a file of code', `${app}/a.ts`, lines(301), 301],
  ['a constructor', `${app}/a.ts`, 'class A {\n  constructor(a, b, c, d, e, f) {}\n}\n', 2],
  ['a use case', `${app}/a.command.ts`, imports(13), 1],
  ['the README', 'README.md', lines(151), 151],
  ['a decision record', 'docs/decisions/001-a.md', lines(31), 31],
  ['exported as default', `${app}/a.ts`, '\nexport default 1;\n', 2],
  ['exported as default', `${app}/a.ts`, '\nexport default class A {}\n', 2],
  ['exported as default', `${app}/a.ts`, 'const a = 1;\nexport { a as default };\n', 2],
  ['`any`', `${app}/a.ts`, 'let a: string;\nlet b: Map<string, any>;\n', 2],
  ['a barrel', `${app}/a.ts`, "export * from './b.js';\nexport { c } from './c.js';\n", 1],
  ['puts work off', 'docs/a.md', `\nTO${'DO'} later\n`, 2],
  ['is skipped', `${app}/a.int.spec.ts`, "\nit.only('does', () => {});\n", 2],
  ['is skipped', `${app}/a.int.spec.ts`, "describe.each([1]).skip('is', () => {});\n", 1],
  ['is skipped', `${app}/a.int.spec.ts`, "\n\nxit('does', () => {});\n", 3],
  ['says its tier', `${app}/a.spec.ts`, '', 1],
  ['speaks of a record', `${app}/a.ts`, "import { DataSource } from 'typeorm';\n", 1],
  ['file or folder', 'libs/common/src/event.ts', '', 1],
  ['file or folder', `${app}/event-utils.ts`, '', 1],
  ['file or folder', `${app}/data.ts`, '', 1],
  ['class, type or function', `${app}/a.ts`, '\nclass EventManager {}\n', 2],
  ['class, type or function', `${app}/a.ts`, 'const parseHelper = () => 1;\n', 1],
  ['"processes"', `${app}/a.ts`, 'class A {\n  processEvent() {}\n}\n', 2],
];

/** Files that keep every rule, each close to breaking one. */
const tolerated: readonly (readonly [what: string, path: string, text: string])[] = [
  ['a long import of one name', `${app}/a.ts`, `import { a } from '${'a'.repeat(100)}';\n`],
  ['a function of 60 lines', `${app}/a.ts`, `function a() {\n${lines(58)}}\n`],
  ['a long suite', `${app}/a.int.spec.ts`, `describe('a', () => {\n${lines(80)}});\n`],
  [
    'a long contract of short tests',
    `${app}/a.contract.ts`,
    `export function aContract() {\n${lines(70, "it('does', () => {});")}}\n`,
  ],
  ['a switch with a default', `${app}/a.ts`, 'switch (a) {\n  default:\n    b();\n}\n'],
  ['a re-export beside code', `${app}/a.ts`, "export { b } from './b.js';\nexport const a = 1;\n"],
  ['the public file of a library', 'libs/postgres/src/postgres.ts', "export * from './b.js';\n"],
  ['a use case with 12 imports', `${app}/a.query.ts`, imports(12)],
  ['data in the name of a kind of file', `${app}/metadata.ts`, 'type EventData = string;\n'],
];

const findingsIn = (path: string, text: string) =>
  rules.flatMap(({ sentence, findings }) =>
    findings(new SourceFile(path, text)).map((finding) => ({ sentence, finding })),
  );

describe('the house rules', () => {
  it.each(breaches)('find a breach of "%s" in %s', (rule, path, text, line) => {
    const found = findingsIn(path, text);
    expect(found).toHaveLength(1);
    expect(found[0]!.sentence).toContain(rule);
    expect(found[0]!.finding).toContain(`${path}:${line}: `);
  });

  it.each(tolerated)('tolerate %s', (_what, path, text) => {
    expect(findingsIn(path, text)).toEqual([]);
  });

  it('have a breach on show for each of them', () => {
    const shown = new Set(breaches.flatMap(([, path, text]) => findingsIn(path, text)));
    const sentences = new Set([...shown].map(({ sentence }) => sentence));
    expect(rules.filter(({ sentence }) => !sentences.has(sentence))).toEqual([]);
  });
});
