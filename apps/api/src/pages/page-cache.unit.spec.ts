import { describe, expect, it } from '@jest/globals';
import { PageCache } from './page-cache.js';

const page = (bytes = 1) => ({ body: Buffer.alloc(bytes), etag: '"tag"', fields: {} });

describe('the cache of rendered pages', () => {
  it('renders a page once per snapshot', () => {
    const cache = new PageCache<string>();
    const rendered: string[] = [];
    const get = (snapshot: string) =>
      cache.get(snapshot, 'key', () => {
        rendered.push(snapshot);
        return page();
      });
    expect(get('first')).toBe(get('first'));
    get('second');
    expect(rendered).toEqual(['first', 'second']);
  });

  it.each([
    ['pages', 1_001, 1],
    ['bytes', 33, 1024 * 1024],
  ])('forgets what it holds rather than hold too many %s', (_unit, pages, bytes) => {
    const cache = new PageCache<string>();
    const first = cache.get('snapshot', '0', () => page(bytes));
    for (let key = 1; key < pages; key += 1) cache.get('snapshot', `${key}`, () => page(bytes));
    expect(cache.get('snapshot', '0', () => page(bytes))).not.toBe(first);
  });
});
