import { AnswerTimeoutError, isRefusal } from './faults.js';
import { Sockets } from './sockets.js';
import { openCluster, type ClusterOptions, type WireCluster } from './wire.js';

interface OpenCluster {
  readonly cluster: WireCluster;
  readonly sockets: Sockets;
  /** What is known of leaders may be wrong: look again before the next use. */
  stale: boolean;
}

/**
 * The connections to a cluster for one purpose, opened at the first use. A broker answers the
 * requests of one connection one after the other, so what waits long (a join, a fetch) has a
 * connection of its own. Whatever hangs is torn down and opened anew.
 */
export class KafkaConnection {
  private current: OpenCluster | null = null;
  private closed = false;

  constructor(private readonly options: ClusterOptions) {}

  /**
   * Runs `work` on the connected cluster.
   * @throws AnswerTimeoutError after `ms`; its connections are gone then, so that nothing is sent
   * in the background any more.
   */
  async use<T>(
    work: (cluster: WireCluster) => Promise<T>,
    ms = this.options.limits.answerMs,
  ): Promise<T> {
    if (this.closed) throw new Error('the connection is closed');
    const open = (this.current ??= this.open());
    try {
      return await within(ms, this.run(open, work));
    } catch (error) {
      if (error instanceof AnswerTimeoutError) this.drop(open);
      else if (!isRefusal(error) && open.sockets.size === 0) this.drop(open);
      else open.stale = true;
      throw error;
    }
  }

  /** Ends every connection at once; the next use opens new ones. */
  reset(): void {
    if (this.current !== null) this.drop(this.current);
  }

  close(): void {
    this.closed = true;
    this.reset();
  }

  private async run<T>(open: OpenCluster, work: (cluster: WireCluster) => Promise<T>): Promise<T> {
    const { cluster } = open;
    await cluster.connect();
    if (open.stale) {
      await cluster.refreshMetadata();
      open.stale = false;
    } else await cluster.refreshMetadataIfNecessary();
    return work(cluster);
  }

  private open(): OpenCluster {
    const sockets = new Sockets();
    return { cluster: openCluster(this.options, sockets), sockets, stale: false };
  }

  private drop(open: OpenCluster): void {
    if (this.current === open) this.current = null;
    open.sockets.giveUp();
    open.cluster.disconnect().catch(() => undefined);
  }
}

/** @throws AnswerTimeoutError when `work` takes longer; it is not waited for then. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AnswerTimeoutError(ms)), ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
