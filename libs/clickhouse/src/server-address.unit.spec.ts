import { describe, expect, it } from '@jest/globals';
import { toServerAddress } from './server-address.js';

describe('the address of a ClickHouse server', () => {
  it('may name the database as its path, which is no part of where to connect', () => {
    const { url, database } = toServerAddress('http://me:secret@db.example:8123/mine');
    expect([url.href, database]).toEqual(['http://me:secret@db.example:8123/', 'mine']);
    expect(toServerAddress('http://db.example:8123').database).toBeNull();
  });

  it('may name the cluster that holds replicated tables', () => {
    const { url, cluster } = toServerAddress('http://db.example:8123/mine?cluster=main');
    expect([url.href, cluster]).toEqual(['http://db.example:8123/', 'main']);
    expect(toServerAddress('http://db.example:8123/mine').cluster).toBeNull();
    expect(() => toServerAddress("http://db:8123/?cluster=a'b")).toThrow('no name of a ClickHouse');
  });

  it.each(['http://127.0.0.1:8123', 'http://localhost:8123', 'http://[::1]:8123/mine'])(
    'is known to be this machine: %s',
    (text) => {
      expect(toServerAddress(text).isLoopback).toBe(true);
    },
  );

  it('is not taken for this machine otherwise', () => {
    expect(toServerAddress('https://127.example.com:8443').isLoopback).toBe(false);
  });

  it.each(['a-b', 'a%60b', 'a/b'])('refuses %s as the name of a database', (path) => {
    expect(() => toServerAddress(`http://db:8123/${path}`)).toThrow('no name of a ClickHouse');
  });
});
