/** What is known of one engine; `detail` is shown to everybody, so it names no address. */
export interface CheckResult {
  readonly up: boolean;
  readonly detail: string;
}

/** The engines that a process cannot do without, by name, each asked in its cheapest way. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<CheckResult>>>;

/** The body of `/readyz`, the same for every app. */
export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

const default_check_ms_max = 2000;

/** Asks every engine at once, each within two seconds; a check that throws counts as down. */
export class Readiness {
  constructor(
    private readonly checks: ReadinessChecks,
    private readonly checkMsMax = default_check_ms_max,
  ) {}

  async report(): Promise<ReadinessReport> {
    const results = await Promise.all(
      Object.entries(this.checks).map(
        async ([name, check]) => [name, await this.inTime(check)] as const,
      ),
    );
    return { ready: results.every(([, { up }]) => up), checks: Object.fromEntries(results) };
  }

  private async inTime(check: () => Promise<CheckResult>): Promise<CheckResult> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<CheckResult>((resolve) => {
      const result = { up: false, detail: 'no answer in time' };
      timer = setTimeout(() => resolve(result), this.checkMsMax);
    });
    try {
      return await Promise.race([check(), late]);
    } catch {
      return { up: false, detail: 'unreachable' };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The check of an engine that is up when it answers `ask` at all. */
export function answers(ask: () => Promise<unknown>): () => Promise<CheckResult> {
  return async () => {
    await ask();
    return { up: true, detail: 'answers' };
  };
}
