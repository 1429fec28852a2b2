import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { usageReceivedQuarantineTopic, usageReceivedTopic } from '#contracts/topics.js';
import { latestEpoch } from '#postgres/publication/published-epochs.js';
import { PublicationRequests } from '#postgres/publication/publication-requests.js';
import { PublicationStore } from '#postgres/publication/publication-store.js';
import { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import { hadIncident } from '../../apps/projector/src/publication/pipeline-incident.js';
import { Publisher } from '../../apps/projector/src/publication/publisher.js';
import {
  cohortOf,
  openProjectorWorld,
  small_terms,
  type ProjectorWorld,
} from './projector-world.js';

const day_ms = 86_400_000;

let world: ProjectorWorld;
beforeEach(async () => {
  world = await openProjectorWorld();
});
afterEach(() => world.close());

const append = (topic: string, count: number) =>
  world.log.append(
    topic,
    Array.from({ length: count }, (_, index) => ({ key: `key-${index}`, value: 'set aside' })),
  );
const now = () => hadIncident(world.log, new Date());

describe('an incident of the pipeline', () => {
  it('is more than one received event in a hundred set aside', async () => {
    expect(await now()).toBe(false);
    await append(usageReceivedTopic.name, 200);
    await append(usageReceivedQuarantineTopic.name, 2);
    expect(await now()).toBe(false);
    await append(usageReceivedQuarantineTopic.name, 1);
    expect(await now()).toBe(true);
  });

  it('is forgotten a week later', async () => {
    await append(usageReceivedQuarantineTopic.name, 1);
    expect(await now()).toBe(true);
    expect(await hadIncident(world.log, new Date(Date.now() + 8 * day_ms))).toBe(false);
  });

  it('lowers the confidence of what is published, and says so', async () => {
    const { productId } = await world.addTool('alpha');
    await world.accept(cohortOf(productId, 60, 12));
    await world.deliverAll();
    await append(usageReceivedQuarantineTopic.name, 1);
    const publications = new PublicationStore(world.database);
    const publisher = new Publisher(
      publications,
      world.clickhouse,
      small_terms,
      undefined,
      (asOf) => hadIncident(world.log, asOf),
    );
    const asked = new PublicationRequests(world.database).publish(20_000);
    while (!(await publications.hasOpenRequests())) await Promise.resolve();
    await publisher.publish();
    await asked;
    const latest = await latestEpoch(world.database.manager);
    const rows = await new AdoptionRowsReader(world.clickhouse).snapshot(latest!);
    const row = rows!.get('30d')!.find(({ tool }) => tool.slug === 'alpha');
    expect(row?.confidence?.reasons).toContain('pipeline_incident');
  });
});
