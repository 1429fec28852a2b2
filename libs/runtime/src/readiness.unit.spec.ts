import { describe, expect, it } from '@jest/globals';
import { answers, Readiness } from './readiness.js';

const up = answers(() => Promise.resolve());

describe('readiness', () => {
  it('is given when every engine answers, each by its name', async () => {
    expect(await new Readiness({ postgres: up, event_log: up }).report()).toEqual({
      ready: true,
      checks: {
        postgres: { up: true, detail: 'answers' },
        event_log: { up: true, detail: 'answers' },
      },
    });
  });

  it('is missing when one engine says that it is down', async () => {
    const down = { up: false, detail: 'refuses' };
    const report = await new Readiness({ postgres: up, other: async () => down }).report();
    expect(report).toMatchObject({ ready: false, checks: { postgres: { up: true }, other: down } });
  });

  it('says of an engine that throws that it is unreachable, and not where it is', async () => {
    const away = answers(() => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432')));
    expect(await new Readiness({ away }).report()).toEqual({
      ready: false,
      checks: { away: { up: false, detail: 'unreachable' } },
    });
  });

  it('waits for no engine that is silent', async () => {
    const silent = answers(() => new Promise(() => undefined));
    expect(await new Readiness({ silent, up }, 10).report()).toMatchObject({
      ready: false,
      checks: { silent: { up: false, detail: 'no answer in time' }, up: { up: true } },
    });
  });
});
