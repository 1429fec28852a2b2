import { describe, expect, it } from '@jest/globals';
import { agreementOf, type RecordBesideClaim } from './claim-agreement.js';

const same: RecordBesideClaim = {
  superseded: false,
  readable: true,
  judged: true,
  claim: 'same',
  quarantineExpired: false,
};

describe('a received record beside the claim on its id', () => {
  it.each<[string, Partial<RecordBesideClaim>]>([
    ['agrees', {}],
    ['agrees', { judged: false }],
    ['agrees', { readable: false }],
    ['superseded', { claim: 'other', superseded: true }],
    ['superseded', { superseded: true }],
    ['unreadable', { claim: 'none', readable: false }],
    ['unreadable', { claim: 'other', readable: false }],
    ['pending', { claim: 'none', judged: false }],
    ['pending', { claim: 'other', judged: false }],
    ['outside_retention', { claim: 'other', quarantineExpired: true }],
    ['differs', { claim: 'other' }],
    ['unclaimed', { claim: 'none' }],
    ['unclaimed', { claim: 'none', quarantineExpired: true }],
  ])('%s when %j', (agreement, facts) => {
    expect(agreementOf({ ...same, ...facts })).toBe(agreement);
  });
});
