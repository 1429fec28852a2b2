import { InvalidArgumentError } from 'commander';
import { parseInstant } from '#domain/text/instant.js';
import { asciiDomain } from '#domain/usage/identity.js';
import { domainLists } from '#runtime/domain-lists.js';
import { durationMs } from '#runtime/duration.js';
import { isQuarantine, originOf, quarantine_topics } from './quarantine/quarantine-topics.js';

const day_ms = 86_400_000;
const overlap_days_max = 90;
const campaign_characters_max = 200;
const label_characters_max = 200;
const count_max = 10_000_000;

/** Argument of a command as it was meant; what does not fit is a usage error. */

export function slug(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError('A slug has 1 to 100 of a-z, 0-9 and -, and begins with no dash.');
}

/** A name for people. */
export function label(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= label_characters_max && isShown(trimmed)) return trimmed;
  throw new InvalidArgumentError(`It has 1 to ${label_characters_max} signs that can be shown.`);
}

export function campaignId(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= campaign_characters_max && isShown(trimmed)) {
    return trimmed;
  }
  throw new InvalidArgumentError(`It has 1 to ${campaign_characters_max} signs that can be shown.`);
}

/** Neither obeyed by a terminal nor turning the text around. */
function isShown(text: string): boolean {
  return !/[\p{Cc}\p{Bidi_Control}]/u.test(text);
}

export function keyId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('A key id is a UUID; "ops keys list" shows them.');
}

export function operationId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('An operation id is a UUID; "ops operations list" shows them.');
}

export function count(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= count_max) return number;
  throw new InvalidArgumentError(`A whole number from 1 to ${count_max}.`);
}

export function partitionNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(
    'The number of a partition, from 0; "ops log describe" shows them.',
  );
}

/** A record of the log by where it stands. */
export interface RecordPlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

export function recordPlace(text: string): RecordPlace {
  const [, topic, partition, offset] = /^([^/\s]+)\/(\d{1,6})\/(\d{1,15})$/.exec(text) ?? [];
  if (topic !== undefined && isQuarantine(topic)) {
    return { topic, partition: Number(partition), offset: BigInt(offset!) };
  }
  throw new InvalidArgumentError(
    'topic/partition/offset of a quarantine topic, for example usage.received.v1.quarantine/0/17.',
  );
}

export function quarantineTopic(text: string): string {
  const names = [...quarantine_topics, ...quarantine_topics.map(originOf)];
  if (names.includes(text)) return text;
  throw new InvalidArgumentError(`One of ${names.join(', ')}.`);
}

/** Milliseconds of an ISO 8601 duration. */
export function overlap(text: string): number {
  const ms = durationMs(text);
  if (ms !== null && ms <= overlap_days_max * day_ms) return ms;
  throw new InvalidArgumentError(
    `An ISO 8601 duration of at most ${overlap_days_max} days, for example PT24H or P7D.`,
  );
}

/** A day, or an instant with its zone; null when it is neither. */
export function parseMoment(text: string): Date | null {
  const at = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  return at === null ? null : new Date(at);
}

export function moment(text: string): Date {
  const at = parseMoment(text);
  if (at !== null) return at;
  throw new InvalidArgumentError('For example 2026-03-01 (UTC) or 2026-03-01T09:00:00+01:00.');
}

/** The registrable domain of a host name: `www.acme.example` → `acme.example`. */
export function registrableDomain(text: string): string {
  const domain = domainLists.registrableDomain(asciiDomain(text.trim()));
  if (domain !== null) return domain;
  throw new InvalidArgumentError('A domain that can be registered, for example acme.com.');
}

/** Number of a version of a projection. */
export function versionNumber(text: string): number {
  const version = Number(text);
  if (/^[1-9]\d{0,3}$/.test(text)) return version;
  throw new InvalidArgumentError('The number of a version, from 1 to 9999.');
}

export function eventName(text: string, earlier: readonly string[] = []): readonly string[] {
  if (/^[A-Z0-9_]{2,80}$/.test(text)) return [...earlier, text];
  throw new InvalidArgumentError('An event name has 2 to 80 of A-Z, 0-9 and _.');
}

export function environmentName(text: string, earlier: readonly string[] = []): readonly string[] {
  const name = text.trim().toLowerCase();
  if (name !== '' && name.length <= campaign_characters_max) return [...earlier, name];
  throw new InvalidArgumentError('The name of an environment, for example staging.');
}
