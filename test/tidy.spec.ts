import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './docs/generated-files.js';
import { formRules } from './tidy/form-rules.js';
import { nameRules } from './tidy/name-rules.js';
import { sizeRules } from './tidy/size-rules.js';
import { readSourceFiles } from './tidy/source-file.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const files = readSourceFiles(repository);
const library_median_lines_max = 100;

describe('every file', () => {
  for (const { sentence, findings } of [...sizeRules, ...formRules, ...nameRules]) {
    it(`keeps the rule: ${sentence}`, () => {
      expect(files.flatMap(findings)).toEqual([]);
    });
  }
});

describe('a library', () => {
  it(`has files of at most ${library_median_lines_max} lines in the median`, () => {
    const medians = readdirSync(join(repository, 'libs')).map((library) => ({
      library,
      lines: median(
        files
          .filter(({ path }) => path.startsWith(`libs/${library}/src/`) && path.endsWith('.ts'))
          .map(({ lines }) => lines.length),
      ),
    }));
    const report = medians.map(({ library, lines }) => `${library} ${lines}`).join(', ');
    process.stdout.write(`median lines of a file: ${report}\n`);
    expect(medians.filter(({ lines }) => lines > library_median_lines_max)).toEqual([]);
  });
});

describe('a generated file', () => {
  for (const { path, render } of generatedFiles(repository)) {
    it(`says so in its first line and is as \`npm run docs\` writes it: ${path}`, () => {
      const written = existsSync(join(repository, path))
        ? readFileSync(join(repository, path), 'utf8')
        : '';
      expect(written.split('\n')[0]).toMatch(/Generated .*`npm run docs`/);
      expect(written).toBe(render());
    });
  }
});

describe('nest-cli.json', () => {
  it('names every app and library, and nothing else, with the folders they have', () => {
    const { projects } = JSON.parse(
      readFileSync(join(repository, 'nest-cli.json'), 'utf8'),
    ) as NestWorkspace;
    const described = Object.values(projects).flatMap((project) => [
      `${project.type} ${project.root}`,
      ...[project.sourceRoot, project.compilerOptions.tsConfigPath]
        .concat(project.entryFile ? [`${project.sourceRoot}/${project.entryFile}.ts`] : [])
        .filter((path) => !existsSync(join(repository, path)))
        .map((path) => `missing ${path}`),
    ]);
    const existing = [
      ...readdirSync(join(repository, 'apps')).map((name) => `application apps/${name}`),
      ...readdirSync(join(repository, 'libs')).map((name) => `library libs/${name}`),
    ];
    expect(described.sort()).toEqual(existing.sort());
  });
});

interface NestWorkspace {
  readonly projects: Readonly<
    Record<
      string,
      {
        readonly type: 'application' | 'library';
        readonly root: string;
        readonly sourceRoot: string;
        readonly entryFile?: string;
        readonly compilerOptions: { readonly tsConfigPath: string };
      }
    >
  >;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, number) => sum + number, 0) / Math.max(1, middle.length);
}
