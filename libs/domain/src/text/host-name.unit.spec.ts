import { describe, expect, it } from '@jest/globals';
import { hostOf } from './host-name.js';

describe('the host of a pasted address', () => {
  it.each([
    ['acme.com', 'acme.com'],
    ['  acme.com ', 'acme.com'],
    ['https://acme.com/x', 'acme.com'],
    ['HTTP://Acme.com', 'Acme.com'],
    ['//acme.com/x', 'acme.com'],
    ['https://user:secret@acme.com:8443/x@y?z#w', 'acme.com'],
    ['acme.com:8443', 'acme.com'],
    ['acme.com:', 'acme.com'],
    ['acme.com/pricing', 'acme.com'],
    ['acme.com?from=mail', 'acme.com'],
    ['acme.com#top', 'acme.com'],
    ['https://bücher.example/öffnen', 'bücher.example'],
    ['user@acme.com', 'acme.com'],
  ])('of %j is %j', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  it.each(['', 'Acme Inc.', '[email:9f2c41d07ab35e68]'])('leaves %j, which is none', (text) => {
    expect(hostOf(text)).toBe(text);
  });
});
