import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PublicationRequests } from '#postgres/publication/publication-requests.js';
import { Shutdown } from '#runtime/shutdown.js';
import { AdoptionModule } from '../../apps/api/src/adoption/adoption.module.js';
import { openAdoption } from '../../apps/api/src/adoption/open-adoption.js';
import { ApiModule } from '../../apps/api/src/api.module.js';
import { createServer } from '../../apps/api/src/http/server.js';
import { startProjector } from '../../apps/projector/src/projector.js';
import { eventually } from '../support/eventually.js';
import { openProjectorWorld, silent, type ProjectorWorld } from './projector-world.js';

export interface Page {
  readonly epoch: number | null;
  readonly rows: readonly {
    readonly tool: { readonly slug: string };
    readonly status: string;
    readonly rank: number | null;
  }[];
  readonly total: number;
  readonly suppressed: number;
  readonly page: { readonly nextCursor: string | null; readonly returned: number };
  readonly [name: string]: unknown;
}

export interface ReadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  json<Body = Page>(): Body;
}

/** The public reads over real stores, with a projector that publishes when it is told to. */
export class ReadsUnderTest {
  private readonly shutdown = new Shutdown(silent);

  private constructor(
    readonly world: ProjectorWorld,
    private readonly app: NestFastifyApplication,
  ) {}

  static async open(): Promise<ReadsUnderTest> {
    const world = await openProjectorWorld();
    Object.assign(world.config, { publishInterval: 'PT0S', probePort: 0 });
    const { config, database, clickhouse } = world;
    const adoption = openAdoption({ config, database, clickhouse, logger: silent });
    const options = { bodyBytesMax: 1024, baseUrl: () => 'http://api.test', logger: silent };
    const app = await createServer(ApiModule.over([AdoptionModule.over(adoption)]), options);
    await app.listen(0, '127.0.0.1');
    return new ReadsUnderTest(world, app);
  }

  async get(
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<ReadAnswer> {
    const response = await fetch(new URL(path, await this.app.getUrl()), { headers, method });
    const body = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body,
      json: <Body = Page>() => JSON.parse(body) as Body,
    };
  }

  async page(path: string): Promise<Page> {
    return (await this.get(path)).json();
  }

  async startProjector(): Promise<void> {
    await startProjector(this.world.config, silent, this.shutdown);
  }

  /** Waits until the running projector has stored everything that was appended. */
  async projected(): Promise<void> {
    await eventually(
      () => this.world.log.lag('projector-usage-v1', 'usage.accepted.v1'),
      (lags) => lags.every(({ lag }) => lag === 0n),
    );
  }

  /** Appended events become an epoch that is shown. */
  async publish(): Promise<number> {
    await this.projected();
    const epoch = await new PublicationRequests(this.world.database).publish(20_000);
    await eventually(
      () => this.page('/api/v1/adoption'),
      (shown) => shown.epoch === epoch,
    );
    return epoch;
  }

  async close(): Promise<void> {
    await this.shutdown.stop();
    await this.app.close();
    await this.world.close();
  }
}
