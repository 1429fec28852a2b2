import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated-files.js';

/** `npm run docs`, from the root of the repository. */
const repository = process.cwd();
for (const { path, render } of generatedFiles(repository)) {
  const target = join(repository, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, render());
  process.stdout.write(`wrote ${path}\n`);
}
