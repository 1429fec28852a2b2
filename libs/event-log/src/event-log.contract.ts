import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { appendContract } from './contract/append.contract.js';
import { ContractBench } from './contract/contract-bench.js';
import { deliveryContract } from './contract/delivery.contract.js';
import { groupContract } from './contract/group.contract.js';
import type { LogUnderTest } from './contract/log-under-test.js';
import { membershipContract } from './contract/membership.contract.js';
import { readContract } from './contract/read.contract.js';

/**
 * Everything the port promises, as tests. Each driver calls it from a spec of its own; the run
 * prints which drivers were tried, so that none is missing in silence.
 */
export function eventLogContract(driver: string, setup: () => Promise<LogUnderTest>): void {
  describe(`the event log on the ${driver} driver`, () => {
    const bench = new ContractBench(setup);
    beforeAll(async () => {
      process.stdout.write(`event log contract: ${driver} driver\n`);
      await bench.start();
    });
    afterEach(() => bench.endTest());
    afterAll(() => bench.stop());

    appendContract(bench);
    readContract(bench);
    deliveryContract(bench);
    groupContract(bench);
    membershipContract(bench);
  });
}
