/** One engine the service cannot do without. */
export interface Dependency {
  readonly name: 'postgres' | 'clickhouse' | 'event_log';
  /** Resolves when the engine answers; its text is shown. */
  readonly check: () => Promise<{ readonly up: boolean; readonly detail: string }>;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, { readonly up: boolean; readonly detail: string }>>;
}

const check_ms_max = 2000;

/** Asks every dependency, each within two seconds; a check that throws counts as down. */
export class Readiness {
  constructor(private readonly dependencies: readonly Dependency[]) {}

  async report(): Promise<ReadinessReport> {
    const checks = await Promise.all(
      this.dependencies.map(async ({ name, check }) => [name, await bounded(check)] as const),
    );
    return { ready: checks.every(([, { up }]) => up), checks: Object.fromEntries(checks) };
  }
}

async function bounded(
  check: Dependency['check'],
): Promise<{ readonly up: boolean; readonly detail: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ up: boolean; detail: string }>((resolve) => {
    timer = setTimeout(() => resolve({ up: false, detail: 'no answer in time' }), check_ms_max);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return { up: false, detail: 'unreachable' };
  } finally {
    clearTimeout(timer);
  }
}
