import type {} from './global-setup.js';

/** Ends what the global setup started. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.uptakeTestEngines?.stop();
}
