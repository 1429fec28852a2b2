import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSignatureOf } from './signature.js';

const body = Buffer.from('{"event_name":"API_CALL"}');
const sign = (encoding: 'hex' | 'base64', key = 'the key') =>
  createHmac('sha256', key).update(body).digest(encoding);

describe('a signature', () => {
  it.each([
    sign('hex'),
    sign('hex').toUpperCase(),
    sign('base64'),
    `sha256=${sign('hex')}`,
    `sha256=${sign('base64')}`,
  ])('is right in hex and base64, with and without its prefix: %s', (sent) => {
    expect(isSignatureOf(sent, body, 'the key')).toBe(true);
  });

  it.each(['', 'sha256=', 'nonsense', sign('hex', 'another key'), sign('hex').slice(2)])(
    'is wrong otherwise: %s',
    (sent) => {
      expect(isSignatureOf(sent, body, 'the key')).toBe(false);
    },
  );

  it('is wrong for other bytes', () => {
    expect(isSignatureOf(sign('hex'), Buffer.from('{}'), 'the key')).toBe(false);
  });
});
