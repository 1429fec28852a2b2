import type { LoadWindow } from './load-window.js';
import { median } from './statistics.js';

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
  const names = new Set(windows.flatMap(({ cpu }) => Object.keys(cpu)));
  const parts = [...names].map((name): readonly [string, number] => [
    name,
    median(windows.map(({ cpu }) => cpu[name] ?? 0)),
  ]);
  const list = (wanted: (name: string) => boolean) =>
    parts
      .filter(([name, cost]) => wanted(name) && cost >= 0.05)
      .map(([name, cost]) => `${name.replace('postgres: ', '')} ${us(cost)}`)
      .join(', ');
  const isPart = (name: string) => name.startsWith('postgres: ');
  const generator = us(median(windows.map(({ generatorCpu }) => generatorCpu)));
  return [
    `CPU an event: ${list((name) => !isPart(name))}; load generator ${generator}`,
    `of Postgres, by connection: ${list(isPart)}`,
  ];
}
