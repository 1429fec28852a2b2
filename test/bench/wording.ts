import type { CpuReading } from './cpu-time.js';
import type { LoadWindow } from './load-window.js';
import { postgresParts } from './service-cpu.js';
import { median } from './statistics.js';

/** Parts of the CPU time that cost less than this, in microseconds, are not listed. */
const listed_us_min = 0.05;

/** A short number: three significant digits, thousands with a space. */
export function short(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en').replaceAll(',', ' ');
  return String(Number(value.toPrecision(3)));
}

export const us = (value: number): string => `${short(value)} µs`;
export const ms = (value: number): string => `${short(value)} ms`;

export function perSecond(windows: readonly LoadWindow[], units: string): string {
  return `${short(median(windows.map(({ unitsPerSecond }) => unitsPerSecond)))} ${units}/s`;
}

/** p50 and p99 of requests, each the median of the windows. */
export function latencies(windows: readonly LoadWindow[]): string {
  const of = (pick: (window: LoadWindow) => number) => ms(median(windows.map(pick)));
  return `p50 ${of(({ p50 }) => p50)}, p99 ${of(({ p99 }) => p99)}`;
}

/** Where the CPU time of an event went, by process and by part of Postgres. */
export function serviceParts(windows: readonly LoadWindow[]): readonly string[] {
  const processes = windows.map(({ cpu }) =>
    Object.fromEntries(Object.entries(cpu).filter(([name]) => !name.startsWith('postgres: '))),
  );
  const generator = us(median(windows.map(({ generatorCpu }) => generatorCpu)));
  return [
    `CPU an event: ${listed(processes)}; load generator ${generator}`,
    `of Postgres, by connection: ${listed(windows.map(({ cpu }) => postgresParts(cpu)))}`,
  ];
}

function listed(windows: readonly CpuReading[]): string {
  const names = new Set(windows.flatMap((window) => Object.keys(window)));
  return [...names]
    .map((name) => ({ name, cost: median(windows.map((window) => window[name] ?? 0)) }))
    .filter(({ cost }) => cost >= listed_us_min)
    .sort((one, other) => other.cost - one.cost)
    .map(({ name, cost }) => `${name} ${us(cost)}`)
    .join(', ');
}
