import { describe, expect, it } from '@jest/globals';
import { credentialShape, displayPrefix, newCredential } from './credential.js';

describe('a credential', () => {
  it('is recognised by its prefix and checksum', () => {
    for (const kind of ['trackingKey', 'workflowToken', 'enterpriseReadKey'] as const) {
      expect(credentialShape(newCredential(kind))).toEqual({ kind });
    }
  });

  it('is malformed once a character is changed, lost or added', () => {
    const key = newCredential('trackingKey');
    const other = key[20] === 'a' ? 'b' : 'a';
    const changed = key.slice(0, 20) + other + key.slice(21);
    for (const broken of [changed, key.slice(0, -1), `${key}x`, 'trk_', '', 'wrong_abc']) {
      expect(credentialShape(broken)).toEqual({ kind: 'malformed' });
    }
  });

  it.each(['${DAI_TOKEN}', '$SERVICE_ADOPTION_KEY', '<TRACKING_KEY>'])(
    'is a placeholder when it is %s',
    (token) => {
      expect(credentialShape(token)).toEqual({ kind: 'placeholder' });
    },
  );

  it('shows too little of itself to be used', () => {
    expect(displayPrefix(newCredential('trackingKey'))).toHaveLength(10);
  });
});
