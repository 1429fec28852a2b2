import { openChildLog } from './child-address.js';
import type { AppenderOrder } from './child-messages.js';
import { endWithParent, tellParent } from './tell-parent.js';

// A process that appends numbered records, one appender per key, and reports each acknowledgement.
const order = JSON.parse(process.argv[2]!) as AppenderOrder;
endWithParent();
const log = await openChildLog(order.address);

async function appendInOrder(key: string): Promise<void> {
  for (let number = 0; number < order.recordsPerKey; number += 1) {
    const [ack] = await log.append(order.topic, [{ key, value: Buffer.from(String(number)) }]);
    const { partition, offset } = ack!;
    tellParent({ kind: 'acked', key, number, partition, offset: String(offset) });
  }
}

await Promise.all(order.keys.map(appendInOrder));
await log.close();
tellParent({ kind: 'finished' });
