const day_ms = 24 * 60 * 60 * 1000;

/** The periods of specification 4.4. */
export const adoption_periods = ['7d', '30d', '90d'] as const;

export type AdoptionPeriod = (typeof adoption_periods)[number];

export const default_adoption_period: AdoptionPeriod = '30d';

/** Whole UTC days, `YYYY-MM-DD`; the end is not part of it. */
export interface DayWindow {
  readonly start: string;
  readonly endExclusive: string;
}

/** Days of a period: `periodDays('30d') === 30`. */
export function periodDays(period: AdoptionPeriod): number {
  return Number.parseInt(period, 10);
}

/** The UTC day of a time: `utcDay(new Date('2026-03-01T23:59:00Z')) === '2026-03-01'`. */
export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Whole days from one UTC day to another: `daysBetween('2026-03-01', '2026-03-04') === 3`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / day_ms);
}

/**
 * The last days of a period up to and including the UTC day of `asOf`: 7d as of noon on 10 March
 * is `{ start: '…-03-04', endExclusive: '…-03-11' }`.
 */
export function windowOf(period: AdoptionPeriod, asOf: Date): DayWindow {
  const end = Date.parse(utcDay(asOf)) + day_ms;
  return {
    start: utcDay(new Date(end - periodDays(period) * day_ms)),
    endExclusive: utcDay(new Date(end)),
  };
}
