import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The release that is installed; newer ones may find more, and are taken on purpose. */
const release = 'schemathesis==4.32.5';
const install_ms_max = 240_000;
const run_ms_max = 180_000;

/**
 * What is checked beside the default: all checks but one. Schemathesis cannot know the rules
 * between fields (two spellings of one field, a family that belongs to a name), so that a body that
 * fits the schema is not always a valid event.
 */
const options = [
  ...['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
  ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '300', '--seed', '1'],
  ...['--generation-database', 'none', '--continue-on-failure', '--request-timeout', '20'],
  '--no-color',
];

/** Schemathesis in a Python environment of its own. */
export class Schemathesis {
  private constructor(
    private readonly folder: string,
    private readonly interrupted: AbortSignal,
  ) {}

  /** Installs it from PyPI into a new environment in `folder`. */
  static async install(folder: string, interrupted: AbortSignal): Promise<Schemathesis> {
    const schemathesis = new Schemathesis(folder, interrupted);
    const { python } = schemathesis;
    await schemathesis.expect('python3', ['-m', 'venv', join(folder, 'venv')]);
    const quietly = ['--quiet', '--disable-pip-version-check'];
    await schemathesis.expect(python, ['-m', 'pip', 'install', ...quietly, release]);
    return schemathesis;
  }

  /** Exit code of a run: 0 when every check held. `more` are further options, or other values. */
  async run(baseUrl: string, trackingKey: string, more: readonly string[]): Promise<number> {
    const header = ['--header', `Authorization: Bearer ${trackingKey}`];
    const address = `${baseUrl}/openapi.json`;
    const given = ['-m', 'schemathesis.cli', 'run', address, ...header, ...options, ...more];
    return this.exitCode(this.python, given, run_ms_max);
  }

  private get python(): string {
    return join(this.folder, 'venv', 'bin', 'python');
  }

  private async expect(command: string, given: readonly string[]): Promise<void> {
    const code = await this.exitCode(command, given, install_ms_max);
    if (code !== 0) throw new Error(`${command} ${given.join(' ')} ended with ${code}.`);
  }

  private async exitCode(command: string, given: readonly string[], msMax: number) {
    const child = spawn(command, given, {
      cwd: this.folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      signal: AbortSignal.any([this.interrupted, AbortSignal.timeout(msMax)]),
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  }
}
