import { runOps } from '../../apps/ops/src/ops.js';
import { armFaultPoint, fault_points } from '#runtime/fault-points.js';

/** The operator's command line that kills itself with -9 at the point that `FAULT` names. */
const fault = fault_points.find((point) => point === process.env['FAULT']);
if (fault !== undefined) {
  armFaultPoint(fault, () => {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  });
}
process.exitCode = await runOps(process.argv.slice(2), process.env);
