import { openChildLog } from './child-address.js';
import type { MemberOrder } from './child-messages.js';
import { endWithParent, hearFromParent, tellParent } from './tell-parent.js';

// A process that is one member of a group and reports what it is given and what it owns.
const order = JSON.parse(process.argv[2]!) as MemberOrder;
const report_every_ms = 50;
endWithParent();
const go = order.hold ? hearFromParent('go') : Promise.resolve();
const log = await openChildLog(order.address);

const subscription = await log.subscribe({
  group: order.group,
  topics: [order.topic],
  batchRecordsMax: order.batchRecordsMax,
  handler: async ({ partition, records }) => {
    const offsets = records.map(({ offset }) => String(offset));
    tellParent({ kind: 'batch', partition, offsets });
    await go;
    tellParent({ kind: 'handled', partition });
  },
});
setInterval(() => {
  const partitions = subscription.assignment().map(({ partition }) => partition);
  tellParent({ kind: 'assignment', partitions });
}, report_every_ms);
