import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { event_catalogue } from './event-catalogue.js';
import { nameEvent, upperSnake } from './event-name.js';

const named = (event_name: string, family: string | null = null, eventType?: string) =>
  nameEvent({ event_name, eventType }, family);

describe('the name of an event', () => {
  it('brings the family of the catalogue along', () => {
    expect(named('FIRST_API_CALL')).toEqual({
      kind: 'named',
      eventName: 'FIRST_API_CALL',
      eventFamily: 'activation',
      familySource: 'catalog',
    });
    expect(named(' CREDIT_CLAIMED ')).toMatchObject({ eventFamily: 'commercial' });
  });

  it('takes a family for the names that have none, and is unassigned without', () => {
    expect(named('MODEL_CALL_COMPLETED')).toMatchObject({
      eventFamily: 'unassigned',
      familySource: 'unassigned',
    });
    expect(named('MODEL_CALL_COMPLETED', 'retention')).toMatchObject({
      eventFamily: 'retention',
      familySource: 'request',
    });
  });

  it('may be custom together with a family only', () => {
    expect(named('ROBOT_DANCED', 'activation')).toMatchObject({ familySource: 'request' });
    expect(named('ROBOT_DANCED')).toMatchObject({
      kind: 'refused',
      finding: { code: 'unknown_event_name', pointer: '/event_name' },
    });
    expect(named('CUSTOM')).toMatchObject({ finding: { code: 'unknown_event_name' } });
  });

  it('suggests the nearest catalogued name', () => {
    expect(named('FIRST_API_CAL')).toMatchObject({ finding: { suggestion: 'FIRST_API_CALL' } });
  });

  it('is refused in another shape, with the upper-snake form as suggestion', () => {
    expect(named('model call-Completed')).toMatchObject({
      finding: { code: 'malformed_event_name', suggestion: 'MODEL_CALL_COMPLETED' },
    });
    expect(named('X')).toMatchObject({ finding: { code: 'malformed_event_name' } });
    expect(named('A'.repeat(81), 'intent')).toMatchObject({
      finding: { code: 'malformed_event_name' },
    });
  });

  it('is required', () => {
    expect(nameEvent({}, null)).toMatchObject({ finding: { code: 'missing_event_name' } });
    expect(nameEvent({ event_name: '  ' }, null)).toMatchObject({ kind: 'refused' });
  });

  it('is refused with a family that is not its own', () => {
    expect(named('FIRST_API_CALL', 'commercial')).toMatchObject({
      finding: { code: 'event_family_mismatch', suggestion: 'activation' },
    });
    expect(named('FIRST_API_CALL', 'activation')).toMatchObject({ familySource: 'catalog' });
  });

  it('is refused when eventType says something else', () => {
    expect(named('API_CALL', null, 'INSTALL')).toMatchObject({
      finding: { code: 'event_type_mismatch', pointer: '/eventType' },
    });
    expect(named('API_CALL', null, 'API_CALL')).toMatchObject({ kind: 'named' });
    expect(named('API_CALL', null, 'CUSTOM')).toMatchObject({ kind: 'named' });
    expect(named('SCRAPER_JOB_COMPLETED', null, 'API_CALL')).toMatchObject({ kind: 'named' });
  });

  it('is a catalogued name again once it is in upper-snake form', () => {
    fc.assert(
      fc.property(fc.constantFrom(...event_catalogue.keys()), (name) => {
        const words = name.toLowerCase().split('_');
        expect(upperSnake(words.join(' '))).toBe(name);
        expect(upperSnake(words.join('-'))).toBe(name);
        expect(upperSnake(name)).toBe(name);
      }),
    );
  });
});
