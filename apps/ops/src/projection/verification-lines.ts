import type { VersionVerification } from '#postgres/projections/projection-version.js';
import { table } from '../answer.js';

/** What a comparison found, for people. */
export function verificationLines(
  version: number,
  verification: VersionVerification,
): readonly string[] {
  const { passed, liveVersion, events, days, pending, daysInMotion } = verification;
  const { differences, keys } = verification;
  const verdict = passed ? 'holds what' : `differs in ${differences} keys from what`;
  return [
    `Version ${version} ${verdict} version ${liveVersion} holds: ${events} events of ${days} days.`,
    `On their way to one of the two: ${pending} events. Still being derived: ${daysInMotion} days.`,
    ...(keys.length === 0
      ? []
      : table(['TABLE', 'DAY', 'PRODUCT', 'WHAT', 'KEY'], keys.map(cells))),
    ...(keys.length < differences ? [`… and ${differences - keys.length} more.`] : []),
  ];
}

function cells({ table, day, productId, kind, key }: VersionVerification['keys'][number]) {
  return [table, day, productId, kind, key];
}
