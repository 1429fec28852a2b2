import { compileContract } from '#contracts/compile-contract.js';
import { UsageTrackingEventDto } from '#contracts/usage/usage-tracking-event.dto.js';
import { tellParent } from '../child-messages.js';
import { sampleEvents } from '../load/event-template.js';
import { interleave } from '../statistics.js';
import type { ValidationCosts, ValidationPlan } from '../rows/validation.js';

const distinct_events = 500;
const warm_up_rounds = 20;

const contract = compileContract(UsageTrackingEventDto);
const texts = sampleEvents(distinct_events);
const events = texts.map((text) => JSON.parse(text) as object);

function parseAll(): void {
  for (const text of texts) if (JSON.parse(text) === null) throw new Error('null');
}
function acceptAll(): void {
  for (const event of events) if (!contract.accepts(event)) throw new Error('not accepted');
}
function checkAll(): void {
  for (const event of events) {
    const [finding] = contract.check(event, '');
    if (finding !== undefined) throw new Error(`not valid: ${finding.detail}`);
  }
}

/** CPU time of one event in microseconds, over rounds enough to fill the time. */
async function costOf(round: () => void, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let rounds = 0;
  do {
    round();
    rounds += 1;
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (rounds * distinct_events);
}

async function measure({ windows, seconds }: ValidationPlan): Promise<ValidationCosts> {
  for (let round = 0; round < warm_up_rounds; round += 1) {
    for (const run of [parseAll, acceptAll, checkAll]) run();
  }
  return interleave(windows, {
    parse: () => costOf(parseAll, seconds),
    accept: () => costOf(acceptAll, seconds),
    check: () => costOf(checkAll, seconds),
  });
}

process.on('message', (plan: ValidationPlan) => {
  measure(plan).then(tellParent, (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(0));
tellParent({ baseUrl: null });
