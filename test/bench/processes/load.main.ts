import { tellParent } from '../child-messages.js';
import type { LoadPlan } from '../load/load-plan.js';
import { runLoad } from '../load/run-load.js';

/** A load generator: runs each plan that it is sent and answers with the result. */
process.on('message', (plan: LoadPlan) => {
  runLoad(plan).then(tellParent, (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(0));
tellParent({ baseUrl: null });
