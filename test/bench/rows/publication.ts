import type { BenchContext } from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import { startChild } from '../child.js';
import { short } from '../wording.js';

const bytes_per_mib = 1024 * 1024;

export interface PublicationPlan {
  readonly events: number;
  readonly epochs: number;
}

export interface MeasuredEpoch {
  readonly epoch: number;
  /** Days that were computed again. */
  readonly days: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Of the publisher's process and the column store's together. */
  readonly peakBytes: number;
}

/** Epochs over very many events: the first from nothing, the next ones a day later each. */
export async function measurePublication({ options }: BenchContext): Promise<readonly BenchRow[]> {
  const child = await startChild('publication');
  try {
    const plan: PublicationPlan = { events: options.events, epochs: options.epochs };
    const epochs = (await child.ask(plan)) as readonly MeasuredEpoch[];
    const events = `${short(options.events)} events over 200 products`;
    const peak = Math.max(...epochs.map(({ peakBytes }) => peakBytes)) / bytes_per_mib;
    return [
      {
        figure: `publication of an epoch, ${events}`,
        measured: `slowest of ${epochs.length}`,
        baseline: '',
        value: Math.max(...epochs.map(({ seconds }) => seconds)),
        unit: 's',
        bar: { kind: 'at most', now: 60, next: 30 },
        notes: epochs.map(noteOf),
      },
      {
        figure: 'publication, memory of projector and column store',
        measured: 'peak, resident',
        baseline: '',
        value: peak,
        unit: 'MiB',
        bar: { kind: 'at most', now: 2048, next: null },
        notes: [],
      },
    ];
  } finally {
    await child.stop();
  }
}

function noteOf({ epoch, days, seconds, cpuSeconds, peakBytes }: MeasuredEpoch): string {
  const memory = short(peakBytes / bytes_per_mib);
  return (
    `epoch ${epoch}, ${days} days computed again: ${short(seconds)} s, ` +
    `${short(cpuSeconds)} s of CPU, ${memory} MiB`
  );
}
