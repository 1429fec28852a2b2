import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderQueries } from '#read-models/render-queries.js';
import { renderConfigurationPage, renderEnvExample } from './configuration-page.js';

/** A file that is written by a program and never by hand. */
export interface GeneratedFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly render: () => string;
}

/** Every generated file; `npm run docs` writes them, `test/tidy.spec.ts` compares them. */
export function generatedFiles(repository: string): readonly GeneratedFile[] {
  return [
    { path: 'docs/configuration.md', render: renderConfigurationPage },
    {
      path: '.env.example',
      render: () => renderEnvExample(readFileSync(join(repository, 'docker-compose.yml'), 'utf8')),
    },
    ...[...renderQueries()].map(([name, text]) => ({
      path: `docs/queries/${name}`,
      render: () => text,
    })),
  ];
}
