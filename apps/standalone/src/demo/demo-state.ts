import { readFile, rename, writeFile } from 'node:fs/promises';

/** What became of the demo in this data directory. */
export interface DemoState {
  /** `off`: this directory began without the demo and never gets it. */
  readonly state: 'off' | 'loading' | 'loaded';
  /** UTC day the load was begun; its events are made from it. */
  readonly day: string;
}

/** The kept state; on the first start of a directory it is made from what is wanted. */
export async function openDemoState(
  file: string,
  wanted: boolean,
  day: string,
): Promise<DemoState> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null) return JSON.parse(text) as DemoState;
  const state: DemoState = { state: wanted ? 'loading' : 'off', day };
  await keepDemoState(file, state);
  return state;
}

export async function keepDemoState(file: string, state: DemoState): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}
