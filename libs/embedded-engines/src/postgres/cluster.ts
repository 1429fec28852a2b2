import { spawn } from 'node:child_process';
import { chown, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineStartError } from '../engine.js';
import { endOf, followLines } from '../child.js';
import type { PostgresBinaries } from './binaries.js';
import { postgresCommand, type Launcher } from './launcher.js';

export const superuser = 'uptake';
export const database = 'uptake';

interface ClusterOptions {
  readonly directory: string;
  readonly passwordFile: string;
  readonly binaries: PostgresBinaries;
  readonly launcher: Launcher;
}

/**
 * The cluster's folder, initialised on first use. It is made under another name and renamed when
 * it is complete, so that a start that was killed half-way does not leave a broken cluster.
 */
export async function preparedCluster(options: ClusterOptions): Promise<string> {
  const cluster = join(options.directory, 'cluster');
  if (
    await stat(cluster).then(
      () => true,
      () => false,
    )
  )
    return cluster;
  const draft = join(options.directory, 'cluster.new');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const { uid, gid } = options.launcher.identity;
  if (uid !== undefined && gid !== undefined) {
    await chown(draft, uid, gid);
    await chown(options.passwordFile, uid, gid);
  }
  await runProgram(options, 'initdb', [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    `--pwfile=${options.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]);
  const creation = `CREATE DATABASE ${database};\n`;
  await runProgram(options, 'postgres', ['--single', '-D', draft, 'postgres'], creation);
  await rename(draft, cluster);
  return cluster;
}

async function runProgram(
  { binaries, launcher, directory }: ClusterOptions,
  program: 'initdb' | 'postgres',
  parameters: readonly string[],
  input = '',
): Promise<void> {
  const { command, rest, identity } = postgresCommand(launcher, binaries, program, parameters);
  const child = spawn(command, rest, { cwd: directory, ...identity });
  const tail = followLines(child, () => undefined);
  child.stdin.on('error', () => undefined).end(input);
  const end = await endOf(child);
  if (end !== 'ended with code 0') {
    throw new EngineStartError(`Initialising PostgreSQL ${end}:\n${tail()}`);
  }
}
