import type { Finding } from '../errors.js';
import { event_limits } from '../limits.js';
import { nearest } from '../text/nearest.js';
import { event_catalogue, event_types, type AssignedFamily } from './event-catalogue.js';
import type { SentUsageEvent } from './sent-usage-event.js';

const name_pattern = new RegExp(`^[A-Z0-9_]{2,${event_limits.event_name_characters_max}}$`);
const type_names: ReadonlySet<string> = new Set(event_types);

export type FamilySource = 'catalog' | 'request' | 'unassigned';

export interface NamedEvent {
  readonly kind: 'named';
  readonly eventName: string;
  readonly eventFamily: AssignedFamily;
  readonly familySource: FamilySource;
}

export interface UnnamedEvent {
  readonly kind: 'refused';
  readonly finding: Finding;
}

const refused = (finding: Finding): UnnamedEvent => ({
  kind: 'refused',
  finding,
});

/**
 * Name and family of an event. A catalogued name carries its family; a custom one needs the family
 * in the request (specification 4.8.3). Refused: no name, a name of another shape than
 * `MODEL_CALL_COMPLETED`, an unknown name without a family, a family or an `eventType` that
 * contradicts the name. Pointers are relative to the event.
 */
export function nameEvent(event: SentUsageEvent, family: string | null): NamedEvent | UnnamedEvent {
  const eventName = event.event_name?.trim() ?? '';
  if (eventName === '') {
    return refused({
      code: 'missing_event_name',
      pointer: '/event_name',
      detail: 'Every event needs event_name, for example FIRST_API_CALL.',
    });
  }
  if (!name_pattern.test(eventName)) return refused(malformedName(eventName));
  if (contradicts(event.eventType, eventName)) {
    return refused({
      code: 'event_type_mismatch',
      pointer: '/eventType',
      detail: `eventType ${event.eventType} contradicts event_name ${eventName}.`,
      suggestion: eventName,
    });
  }
  const catalogued = event_catalogue.get(eventName);
  if (catalogued === undefined) return customName(eventName, family);
  if (catalogued === 'unassigned' || family === catalogued || family === null) {
    return catalogued !== 'unassigned'
      ? named(eventName, catalogued, 'catalog')
      : family === null
        ? named(eventName, 'unassigned', 'unassigned')
        : named(eventName, family as AssignedFamily, 'request');
  }
  return refused({
    code: 'event_family_mismatch',
    pointer: event.event_family == null ? '/eventFamily' : '/event_family',
    detail: `${eventName} belongs to the family ${catalogued}, not ${family}.`,
    suggestion: catalogued,
  });
}

function named(name: string, family: AssignedFamily, source: FamilySource): NamedEvent {
  return {
    kind: 'named',
    eventName: name,
    eventFamily: family,
    familySource: source,
  };
}

function customName(eventName: string, family: string | null): NamedEvent | UnnamedEvent {
  if (family !== null) return named(eventName, family as AssignedFamily, 'request');
  const suggestions = nearest(eventName, [...event_catalogue.keys()], 3);
  return refused({
    code: 'unknown_event_name',
    pointer: '/event_name',
    detail:
      `${eventName} is not in the catalogue; send event_family with a custom name` +
      (suggestions.length > 0 ? `, or did you mean ${suggestions.join(', ')}?` : '.'),
    ...(suggestions[0] !== undefined && { suggestion: suggestions[0] }),
  });
}

function malformedName(eventName: string): Finding {
  const suggestion = upperSnake(eventName);
  return {
    code: 'malformed_event_name',
    pointer: '/event_name',
    detail: `event_name takes 2 to ${event_limits.event_name_characters_max} of A-Z, 0-9 and _.`,
    ...(name_pattern.test(suggestion) && { suggestion }),
  };
}

// A partner event may well be an API_CALL too; only two different server types contradict.
function contradicts(eventType: string | null | undefined, eventName: string): boolean {
  if (eventType === undefined || eventType === null || eventType === 'CUSTOM') return false;
  return eventType !== eventName && type_names.has(eventName);
}

/** The upper-snake form of a name: `upperSnake('Api call-Done') === 'API_CALL_DONE'`. */
export function upperSnake(name: string): string {
  return name
    .trim()
    .slice(0, event_limits.name_characters_max)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
}
