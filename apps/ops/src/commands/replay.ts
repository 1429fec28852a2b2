import { Command } from 'commander';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import type { Answer } from '../answer.js';
import { partitionNumber } from '../arguments.js';
import type { LogTools, RunOnLog } from '../log-runner.js';
import { givenPosition, type GivenPosition } from '../log/positions.js';
import { organizationOf } from '../lookups.js';
import { changing, paced, runOperation } from '../operations/run-operation.js';
import { replayOperation } from '../replay/replay-operation.js';
import { UsageError } from '../usage-error.js';

const replayed_topics = [usageReceivedTopic.name, usageAcceptedTopic.name];

interface ReplayOptions {
  readonly from: GivenPosition;
  readonly to?: GivenPosition;
  readonly partition?: number;
  readonly organization?: string;
}

export function replayCommand(run: RunOnLog): Command {
  return paced(changing(new Command('replay')))
    .description('append copies of records to their topic, so that they are judged again')
    .argument('<topic>', replayed_topics.join(' or '))
    .requiredOption(
      '--from <position>',
      'a time, a duration ago (PT1H), 0:15,3:20, or beginning',
      givenPosition,
    )
    .option('--to <position>', 'exclusive; else where the topic ends', givenPosition)
    .option('--partition <n>', 'of one partition only', partitionNumber)
    .option('--organization <org>', 'of one organization only, by slug or id')
    .action((topic: string, options: ReplayOptions, command: Command) =>
      run(command, (tools) => replay(tools, topic, options, command)),
    );
}

async function replay(
  { log, store, database }: LogTools,
  topic: string,
  options: ReplayOptions,
  command: Command,
): Promise<Answer> {
  if (!replayed_topics.includes(topic)) {
    throw new UsageError(
      `Events are in ${replayed_topics.join(' and ')}; ` +
        'what was set aside is sent back by "ops quarantine redrive".',
    );
  }
  const { organization: slug, from, to = givenPosition('end'), partition } = options;
  const organization = slug === undefined ? null : await organizationOf(store, slug);
  const choice = { from, to, partition };
  return runOperation(command, database, replayOperation({ log, topic, choice, organization }));
}
