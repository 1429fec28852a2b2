import { setTimeout as pause } from 'node:timers/promises';
import { isFed, type VersionState } from '#domain/projections/version-state.js';
import type { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import type { Logger } from '#runtime/logger.js';
import type { CheckResult } from '#runtime/readiness.js';
import { projector_limits } from '../limits.js';
import type { Feed } from './feed-version.js';

export interface FeedSources {
  readonly versions: ProjectionVersions;
  /** Starts to feed a version; `isLive` says whether it is the live one, now. */
  readonly feed: (version: number, isLive: () => boolean) => Promise<Feed>;
  /** Removes versions whose time is over; answers with their numbers. */
  readonly removeEnded: () => Promise<readonly number[]>;
}

/**
 * Feeds every version that is to be fed, each by its own consumer group, and looks again and again
 * which ones these are. A version that has ended is fed no more; its tables go after that.
 */
export class VersionFeeds {
  private readonly stopping = new AbortController();
  private readonly feeds = new Map<number, Feed>();
  private states: ReadonlyMap<number, VersionState> = new Map();
  private running: Promise<void> = Promise.resolve();
  private ended!: { readonly resolve: () => void; readonly reject: (error: unknown) => void };

  /** Feeds of versions that nobody reads, whose log was lost for good. */
  private readonly lost = new Map<number, unknown>();

  /** Rejects when the log is lost for good to the live version; resolves after `stop`. */
  readonly done = new Promise<void>((resolve, reject) => {
    this.ended = { resolve, reject };
  });

  constructor(
    private readonly sources: FeedSources,
    private readonly logger: Logger,
  ) {
    // Whoever waits for `done` sees the loss; without anybody it is no unhandled one.
    this.done.catch(() => undefined);
  }

  /** Feeds all that is to be fed now, then keeps looking. */
  async start(): Promise<void> {
    await this.look();
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await Promise.all([...this.feeds.values()].map((feed) => feed.stop()));
    this.ended.resolve();
  }

  /** For the probes: down while any version takes nothing more. */
  async readiness(): Promise<CheckResult> {
    const all = await Promise.all([...this.feeds.values()].map((feed) => feed.readiness()));
    return all.find(({ up }) => !up) ?? { up: true, detail: 'within its share' };
  }

  private async run(): Promise<void> {
    const { version_poll_ms } = projector_limits;
    const { signal } = this.stopping;
    for (;;) {
      await pause(version_poll_ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.look();
        const removed = await this.sources.removeEnded();
        if (removed.length > 0) this.logger.info({ removed }, 'removed versions of a projection');
      } catch (error) {
        this.logger.warn({ err: error }, 'cannot look which versions are to be fed');
      }
    }
  }

  private async look(): Promise<void> {
    const known = await this.sources.versions.list();
    this.states = new Map(known.map(({ version, state }) => [version, state]));
    const wanted = known.filter(({ state }) => isFed(state)).map(({ version }) => version);
    for (const [version, feed] of this.feeds) {
      if (wanted.includes(version)) continue;
      this.feeds.delete(version);
      this.lost.delete(version);
      await feed.stop();
      this.logger.info({ version }, 'a version is fed no more');
    }
    for (const version of wanted) {
      if (!this.feeds.has(version)) await this.begin(version);
    }
    for (const [version, error] of this.lost) this.judgeLoss(version, error);
  }

  private async begin(version: number): Promise<void> {
    const feed = await this.sources.feed(version, () => this.states.get(version) === 'live');
    this.feeds.set(version, feed);
    feed.done.catch((error: unknown) => {
      this.logger.error({ err: error, version }, 'a version can be fed no more');
      this.lost.set(version, error);
      this.judgeLoss(version, error);
    });
    this.logger.info({ version }, 'a version is fed');
  }

  /** Only the loss of the live version ends the projector; another one may stand still. */
  private judgeLoss(version: number, error: unknown): void {
    if (this.states.get(version) === 'live') this.ended.reject(error);
  }
}
