import cliProgress from 'cli-progress';
import { secondsLeft } from './pacing.js';

const line_interval_ms = 5_000;

/** What is told of an operation while it runs. */
export interface Progress {
  /** `done` counts what earlier runs did, too. */
  show(done: number): void;
  end(): void;
}

export interface ProgressOptions {
  readonly unit: string;
  readonly total: number;
  /** Units that earlier runs did; they say nothing of the rate. */
  readonly doneBefore: number;
  /** With it nothing is told: the answer is all that is printed. */
  readonly json: boolean;
}

/** A bar on a terminal; elsewhere a line every few seconds. Both on standard error. */
export function startProgress(
  options: ProgressOptions,
  output: NodeJS.WriteStream = process.stderr,
): Progress {
  if (options.json) return { show: () => undefined, end: () => undefined };
  return output.isTTY ? bar(options, output) : lines(options, output);
}

function bar({ unit, total, doneBefore }: ProgressOptions, stream: NodeJS.WriteStream): Progress {
  const startedAt = Date.now();
  const shown = new cliProgress.SingleBar({
    stream,
    format: `[{bar}] {percentage}% | {value}/{total} ${unit} | {speed} | {left}`,
    hideCursor: true,
    // Signals belong to the operation: it finishes its step first.
    gracefulExit: false,
  });
  const figures = (done: number) => figuresOf(done - doneBefore, total - done, startedAt);
  shown.start(total, doneBefore, figures(doneBefore));
  return {
    show: (done) => shown.update(done, figures(done)),
    end: () => shown.stop(),
  };
}

function lines({ unit, total, doneBefore }: ProgressOptions, output: NodeJS.WriteStream): Progress {
  const startedAt = Date.now();
  let toldAt = startedAt;
  return {
    show: (done) => {
      if (Date.now() - toldAt < line_interval_ms) return;
      toldAt = Date.now();
      const { speed, left } = figuresOf(done - doneBefore, total - done, startedAt);
      output.write(`${done} of ${total} ${unit}, ${speed}, ${left}\n`);
    },
    end: () => undefined,
  };
}

function figuresOf(done: number, left: number, startedAt: number) {
  const elapsedMs = Date.now() - startedAt;
  const perSecond = elapsedMs === 0 ? 0 : Math.round((done / elapsedMs) * 1000);
  const seconds = secondsLeft(done, left, elapsedMs);
  return { speed: `${perSecond}/s`, left: seconds === null ? 'ETA -' : `ETA ${seconds} s` };
}
