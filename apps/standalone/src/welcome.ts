import type { Logger } from '#runtime/logger.js';
import { banner } from './banner.js';
import { readCredentials, writeCredentials, type Credentials } from './credentials-file.js';
import { prepareDirectory, type TrackingKeys } from './demo/demo-directory.js';
import { asOneEpoch } from './demo/as-one-epoch.js';
import { demoEvents } from './demo/demo-events.js';
import { loadDemo } from './demo/demo-load.js';
import { keepDemoState, openDemoState, type DemoState } from './demo/demo-state.js';
import { demo_plan, demo_tools_published, starter_plan } from './demo/demo-tools.js';
import type { Installation } from './installation.js';
import { awaitRanking, type RankedTool } from './ranking.js';
import { becomesReady } from './readiness.js';
import { StartRefusedError } from './start-refused.js';

/**
 * Waits until the API is ready, makes sure that there are keys to use it with, loads the demo
 * into a new data directory and prints what a person needs to go on.
 * @throws StartRefusedError when the API does not become ready.
 */
export async function welcome(
  installation: Installation,
  logger: Logger,
  stopping: AbortSignal,
): Promise<void> {
  const { config, directory, databaseUrl, baseUrl, localUrl } = installation;
  if (!(await becomesReady(localUrl, stopping))) {
    if (stopping.aborted) return;
    throw new StartRefusedError(`${localUrl}/readyz did not become 200 in time; see the log.`);
  }
  const today = new Date().toISOString().slice(0, 10);
  const demo = await openDemoState(directory.file('demo.json'), config.demo, today);
  const credentialsFile = directory.file('credentials.json');
  const known = await readCredentials(credentialsFile);
  const plan = demo.state === 'off' ? starter_plan : demo_plan;
  const keys = await prepareDirectory(databaseUrl, plan, known);
  const credentials = toCredentials(baseUrl, keys, known);
  await writeCredentials(credentialsFile, credentials);

  const ranking = await rankingOf(installation, demo, keys, logger, stopping);
  if (stopping.aborted) return;
  const facts = { credentials, credentialsFile, ranking, demo: demo.state !== 'off' };
  process.stdout.write(banner(facts));
}

/** The ranking to show, after the demo was loaded where it belongs into it. */
async function rankingOf(
  installation: Installation,
  demo: DemoState,
  keys: TrackingKeys,
  logger: Logger,
  stopping: AbortSignal,
): Promise<RankedTool[]> {
  const { config, directory, localUrl } = installation;
  if (demo.state !== 'loading' || !config.demo) return awaitRanking(localUrl, 0, stopping);
  const events = demoEvents(demo.day);
  const startedAt = Date.now();
  logger.info({ events: events.length }, 'loading the demo');
  const trackingKey = keys.organizationTrackingKey;
  const complete = await asOneEpoch(installation, logger, stopping, () =>
    loadDemo(events, { baseUrl: localUrl, trackingKey, stopping }),
  );
  if (!complete) return [];
  await keepDemoState(directory.file('demo.json'), { ...demo, state: 'loaded' });
  logger.info({ ms: Date.now() - startedAt }, 'loaded the demo, waiting for its publication');
  return awaitRanking(localUrl, demo_tools_published, stopping);
}

function toCredentials(
  baseUrl: string,
  keys: TrackingKeys,
  known: Credentials | null,
): Credentials {
  return {
    baseUrl,
    ...keys,
    developerToken: known?.developerToken ?? null,
    projectToken: known?.projectToken ?? null,
    sessionCookie: known?.sessionCookie ?? null,
    enterpriseReadKey: known?.enterpriseReadKey ?? null,
  };
}
