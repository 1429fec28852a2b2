import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fateOf, type ReceivedFacts } from './received-fate.js';

const accepted: ReceivedFacts = {
  setAside: null,
  accepted: true,
  earlier: 'none',
  judged: true,
  erased: false,
  acceptedExpired: false,
  quarantineExpired: false,
};
const gone: ReceivedFacts = { ...accepted, accepted: false };

describe('the fate of a received record', () => {
  it.each<[string, ReceivedFacts]>([
    ['accepted', accepted],
    ['duplicate', { ...accepted, earlier: 'same' }],
    ['superseded', { ...accepted, setAside: 'superseded', earlier: 'other' }],
    ['superseded', { ...gone, setAside: 'superseded' }],
    ['quarantined', { ...gone, setAside: 'undecodable' }],
    ['erased', { ...gone, erased: true }],
    ['pending', { ...gone, judged: false }],
    ['pending', { ...accepted, earlier: 'other', judged: false }],
    ['outside_retention', { ...gone, acceptedExpired: true }],
    ['outside_retention', { ...gone, quarantineExpired: true }],
    ['outside_retention', { ...accepted, earlier: 'other', quarantineExpired: true }],
    ['lost', gone],
    ['contradicted', { ...accepted, earlier: 'other' }],
  ])('is %s', (fate, facts) => {
    expect(fateOf(facts)).toBe(fate);
  });

  const anyFacts = fc.record<ReceivedFacts>({
    setAside: fc.constantFrom(null, 'superseded', 'undecodable'),
    accepted: fc.boolean(),
    earlier: fc.constantFrom('none', 'same', 'other'),
    judged: fc.boolean(),
    erased: fc.boolean(),
    acceptedExpired: fc.boolean(),
    quarantineExpired: fc.boolean(),
  });

  it('is a loss only when nothing at all speaks for the record', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { setAside, judged, erased, acceptedExpired, quarantineExpired } = facts;
        const spokenFor =
          setAside !== null || facts.accepted || !judged || erased || acceptedExpired;
        expect(fateOf(facts) === 'lost').toBe(!spokenFor && !quarantineExpired);
      }),
    );
  });

  it('is never broken for a record that the clerk has not judged or has set aside', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        fc.pre(!facts.judged || facts.setAside !== null);
        expect(['lost', 'contradicted']).not.toContain(fateOf(facts));
      }),
    );
  });
});
