import { describe, expect, it } from '@jest/globals';
import { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import { cursorKeyOf, PageCursors } from './page-cursors.js';
import type { PublishedSnapshot } from './published-snapshots.js';

const cursors = new PageCursors(cursorKeyOf('a pepper'));

const snapshot = (epoch: number, checksum = 'c'.repeat(64)) =>
  ({ epoch: { epoch, checksum }, periods: new Map() }) as unknown as PublishedSnapshot;

const query = (fields: Partial<AdoptionQueryDto> = {}) =>
  Object.assign(new AdoptionQueryDto(), fields);

const shown = snapshot(7);
const cursor = cursors.at(25, shown, query());

const code = (code: string) => expect.objectContaining({ code }) as unknown as Error;

describe('a cursor', () => {
  it('leads back to its place, with whatever limit', () => {
    expect(cursors.offsetOf(query({ cursor, limit: 3 }), shown)).toBe(25);
    expect(cursors.offsetOf(query(), shown)).toBe(0);
  });

  it('tells neither rows nor filters in clear', () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{40,200}$/);
    expect(cursors.at(25, shown, query({ tool: 'x'.repeat(100) })).length).toBe(cursor.length);
  });

  it('is refused when a single character of it was changed, added or taken away', () => {
    for (let at = 0; at < cursor.length; at += 1) {
      for (const other of ['A', 'B', '_', '=', '']) {
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
        if (changed === cursor) continue;
        const ask = () => cursors.offsetOf(query({ cursor: changed }), shown);
        expect(ask).toThrow(code('invalid_query'));
      }
    }
  });

  it.each(['', 'A', 'A'.repeat(22), '%', 'null'])('is not %j', (text) => {
    expect(() => cursors.offsetOf(query({ cursor: text }), shown)).toThrow(code('invalid_query'));
  });

  it.each([{ tool: 'x' }, { category: 'x' }, { period: '7d' as const }])(
    'is refused beside another filter: %j',
    (filter) => {
      const ask = () => cursors.offsetOf(query({ cursor, ...filter }), shown);
      expect(ask).toThrow(code('invalid_query'));
    },
  );

  it('of another installation is refused', () => {
    const other = new PageCursors(cursorKeyOf('another pepper')).at(25, shown, query());
    expect(() => cursors.offsetOf(query({ cursor: other }), shown)).toThrow(code('invalid_query'));
  });

  it.each([
    ['a later epoch', snapshot(8)],
    ['the same epoch with other rows', snapshot(7, 'd'.repeat(64))],
    ['no epoch', null],
  ])('has expired once %s is shown', (_what, now) => {
    expect(() => cursors.offsetOf(query({ cursor }), now)).toThrow(code('cursor_expired'));
  });
});
