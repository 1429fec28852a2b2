import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalEvent } from '../canonical-event.js';
import { IdentityHasher } from '../identity.js';
import type { SentUsageEvent } from '../sent-usage-event.js';
import { screenContent, type Screening } from './screen-content.js';

const hasher = new IdentityHasher('a pepper for specs, and nothing else');
const organizationId = '01890a5d-ac96-774b-bcce-b302099a8057';
const hashes = {
  developer: (id: string) => hasher.developer(organizationId, id),
  email: (email: string) => hasher.email(email),
};

const base = { developer_id: 'dev-4711-berlin', email: 'ada@example.com' };

function screen(parts: SentUsageEvent): Screening {
  const sent: SentUsageEvent = { ...base, ...parts };
  return screenContent(
    { sent, developerId: sent.developer_id ?? null, userId: sent.userId ?? null },
    textOf(sent),
    { organizationId, hashes: hasher },
  );
}

function textOf(sent: SentUsageEvent): string {
  return canonicalEvent({
    sent,
    eventName: 'API_CALL',
    eventFamily: null,
    developerHash: sent.developer_id == null ? null : hashes.developer(sent.developer_id),
    userHash: sent.userId == null ? null : hashes.developer(sent.userId),
    emailHash: sent.email == null ? null : hashes.email(sent.email),
  }).text;
}

const pointers = (parts: SentUsageEvent) => {
  const verdict = screen(parts);
  return verdict.kind === 'forbidden' ? verdict.findings.map(({ pointer }) => pointer) : [];
};

/** What becomes of `metadata`. */
const metadata = (value: Record<string, unknown>, parts: SentUsageEvent = {}) => {
  const verdict = screen({ ...parts, metadata: value });
  return verdict.kind === 'masked' ? verdict.sent.metadata : verdict.kind;
};

// Put together here, so that no scanner takes this file for a leak.
const body = 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7jKl0n';
const secrets: readonly (readonly [kind: string, value: string])[] = [
  ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----\nMII`],
  ['a bearer token', `Bearer ${body.slice(0, 20)}`],
  ['a bearer token in lower case', `authorization: bearer ${body}`],
  ['a JSON web token', `eyJ${body.slice(0, 17)}.eyJ${body.slice(0, 17)}.${body}`],
  ['an AWS key id', `AK${'IA'}IOSFODNN7EXAMPLE`],
  ['a Google key', `AIz${'a'}${body.slice(0, 35)}`],
  ['a GitHub token', `gh${'p_'}${body.slice(0, 36)}`],
  ['a GitLab token', `glp${'at-'}${body.slice(0, 20)}`],
  ['a Slack token', `xo${'xb-'}123456789012-${body.slice(0, 20)}`],
  ['a Stripe key', `sk_${'live_'}${body.slice(0, 24)}`],
  ['a model provider key', `sk-${'proj-'}${body}`],
  ['an npm token', `np${'m_'}${body.slice(0, 36)}`],
  ['a PyPI token', `pyp${'i-'}${body.slice(0, 40)}`],
  ['a Hugging Face token', `hf${'_'}${body.slice(0, 34)}`],
  ['a SendGrid key', `SG${'.'}${body.slice(0, 22)}.${body}`],
  ['one of our tracking keys', `tr${'k_'}${body}${body.slice(0, 9)}`],
  ['an address with a password', 'postgres://app:hunter2@db.example/app'],
];

describe('forbidden content', () => {
  it.each(secrets)('is %s, anywhere in the free-form parts', (_kind, secret) => {
    for (const text of [secret, `first ${secret} last`, `key="${secret}"`]) {
      expect(pointers({ metadata: { a: { b: ['x', text] } } })).toEqual(['/metadata/a/b/1']);
    }
    expect(pointers({ workflow: { step: secret } })).toEqual(['/workflow/step']);
    expect(pointers({ workload: { endpoint: secret } })).toEqual(['/workload/endpoint']);
    expect(pointers({ note: secret })).toEqual(['/note']);
    expect(pointers({ account: { name: 'Acme', plan: secret } as never })).toEqual([
      '/account/plan',
    ]);
  });

  it.each([
    'prompt',
    'systemPrompt',
    'USER_PROMPT',
    'completion',
    'completion-text',
    'source_code',
    'sourceCode',
    'SourceCode',
    'fileContents',
    'gen_ai.prompt',
  ])('is a field named %s', (name) => {
    for (const value of ['x', ['x'], { text: 'x' }]) {
      expect(pointers({ metadata: { inner: { [name]: value } } })).toEqual([
        `/metadata/inner/${name}`,
      ]);
    }
    expect(pointers({ [name]: 'x' })).toEqual([`/${name}`]);
  });

  it.each<[string, (secret: string) => SentUsageEvent]>([
    ['/account_domain', (account_domain) => ({ account_domain })],
    ['/account/name', (name) => ({ account: { name } })],
    ['/product/id', (id) => ({ product: { id } })],
    ['/product/version', (version) => ({ product: { version } })],
    ['/context/attribution/source', (source) => ({ context: { attribution: { source } } })],
  ])('is a secret at %s', (pointer, parts) => {
    expect(pointers(parts(secrets[4]![1]))).toEqual([pointer]);
  });

  it('is a secret in the name of a property, and then only its object is named', () => {
    const [, secret] = secrets[4]!;
    expect(pointers({ metadata: { inner: { [secret]: 1 } } })).toEqual(['/metadata/inner']);
    expect(pointers({ [secret]: 'x' })).toEqual(['']);
  });

  it('is a conversation with a model', () => {
    const messages = [{ role: 'user', content: 'hello' }];
    expect(pointers({ metadata: { messages } })).toEqual(['/metadata/messages']);
    expect(pointers({ metadata: { messages: ['queued', 'sent'] } })).toEqual([]);
  });

  it('is named by its pointer, every one, and never repeated', () => {
    const [, secret] = secrets[4]!;
    const verdict = screen({ metadata: { 'a/b~c': secret, prompt: 'tell me' } });
    expect(verdict).toMatchObject({
      kind: 'forbidden',
      findings: [
        { code: 'forbidden_content', pointer: '/metadata/a~1b~0c' },
        { code: 'forbidden_content', pointer: '/metadata/prompt' },
      ],
    });
    expect(JSON.stringify(verdict)).not.toContain(secret);
    expect(JSON.stringify(verdict)).not.toContain('tell me');
  });

  it.each([
    { prompt_tokens: 12, completionTokens: 9, prompt: 3, completion: true, prompts: '' },
    { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', run: '01890a5d-ac96-774b-bcce-b302099a8057' },
    { at: '2026-05-22T10:00:00.000+02:00', action: 'switch-to-a-smaller-model-soon' },
    { message: 'The bearer of this ticket may enter; basic authentication failed' },
    { url: 'https://docs.example/guides/getting-started?ref=search&page=2', code: 'ECONNRESET' },
    { package: '@nestjs/core@12.0.1', price: '5 % off', sku: 'task-force-alpha-bravo' },
  ])('is not %j', (value) => {
    expect(metadata(value)).toBe('clean');
  });

  it('costs time that is linear in the text, whatever the text is', () => {
    const parts = ['eyJ-', 'a.', 'SG.a', 'Bearer ', 'sk-', '://a:', 'x@', 'aaaa', '-----BEGIN '];
    for (const part of parts) {
      const text = `${part.repeat(30_000 / part.length)} @`;
      expect(screen({ metadata: { text } }).kind).toMatch(/clean|masked|forbidden/);
    }
  });
});

describe('an identity outside its fields', () => {
  const email = `[email:${hashes.email('bob@example.org').slice(0, 16)}]`;
  const developer = `[developer:${hashes.developer(base.developer_id).slice(0, 16)}]`;

  it('is masked where it is an e-mail address, in values and in names', () => {
    expect(metadata({ note: 'ask Bob@Example.org, please', 'bob@example.org': 1 })).toEqual({
      note: `ask ${email}, please`,
      [email]: 1,
    });
    expect(metadata({ url: 'https://x.example/?mail=bob%40example.org' })).toEqual({
      url: `https://x.example/?mail=${email}`,
    });
  });

  it("is masked where it is the sender's own developer id, user id or e-mail", () => {
    expect(metadata({ owner: base.developer_id, run: `run-${base.developer_id}-7` })).toEqual({
      owner: developer,
      run: `run-${developer}-7`,
    });
    expect(metadata({ by: { [base.developer_id]: 3 } })).toEqual({ by: { [developer]: 3 } });
    const user = `[developer:${hashes.developer('u-998877665').slice(0, 16)}]`;
    expect(metadata({ user: 'u-998877665' }, { userId: 'u-998877665' })).toEqual({ user });
    expect(metadata({ me: '"odd mail"@example.com' }, { email: '"odd mail"@example.com' })).toEqual(
      { me: expect.stringMatching(/^\[email:[0-9a-f]{16}\]$/) },
    );
  });

  it('leaves marks whole, whatever ids are made of', () => {
    const ids = { developer_id: 'abcd', userId: 'developer', email: 'ada@example.com' };
    const note = 'abcd developer ada@example.com '.repeat(3);
    const value = metadata({ note }, ids) as { note: string };
    expect(value.note).toMatch(/^(\[(developer|email):[0-9a-f]{16}\] ){9}$/);
  });

  it('is masked as a number, too', () => {
    const mark = `[developer:${hashes.developer('48151623').slice(0, 16)}]`;
    expect(metadata({ userId: 48151623, other: 7 }, { developer_id: '48151623' })).toEqual({
      userId: mark,
      other: 7,
    });
  });

  it('is masked in extra properties, source, project and account name', () => {
    const verdict = screen({
      note: base.email,
      source: base.developer_id,
      projectId: base.email,
      account_domain: 'bob@example.org',
      account: { name: `${base.developer_id} Ltd` },
      context: { attribution: { source: base.developer_id } },
    });
    const text = JSON.stringify(verdict.kind === 'masked' ? withoutIdentity(verdict.sent) : null);
    expect(text).toContain(developer);
    expect(text).toContain(email);
    expect(text).not.toContain(base.developer_id);
    expect(text).not.toContain('@');
  });

  it.each<SentUsageEvent>([
    { source: base.developer_id },
    { projectId: base.developer_id },
    { account: { name: base.developer_id } },
    { account: { plan: base.developer_id } as never },
    { product: { owner: base.developer_id } as never },
    { context: { attribution: { source: base.developer_id } } },
    { metadata: { domain: base.developer_id } },
    { [`by ${base.developer_id}`]: 1 },
  ])('is masked where it is all there is to find: %j', (parts) => {
    const verdict = screen(parts);
    const text = JSON.stringify(verdict.kind === 'masked' ? withoutIdentity(verdict.sent) : null);
    expect(text).toContain(developer);
    expect(text).not.toContain(base.developer_id);
  });

  it('leaves names of things alone that happen to equal the developer id', () => {
    const product = { id: base.developer_id, name: 'Search' };
    expect(screen({ product, mcp_server: base.developer_id }).kind).toBe('clean');
  });

  it('is not seen in short words that only contain a short id', () => {
    expect(metadata({ step: '1 of 12', n: 1, at: 'b1' }, { developer_id: '1' })).toBe('clean');
    expect(metadata({ word: 'annabel', id: 'x-anna' }, { developer_id: 'anna' })).toEqual({
      word: 'annabel',
      id: `x-[developer:${hashes.developer('anna').slice(0, 16)}]`,
    });
    expect(metadata({ one: '1' }, { developer_id: '1' })).toEqual({
      one: `[developer:${hashes.developer('1').slice(0, 16)}]`,
    });
  });

  it('is masked whatever characters the id is made of', () => {
    const characters = [...'ab19-_.*+?^$|()[]{}\\/"\'#: ü😀'];
    const id = fc.array(fc.constantFrom(...characters), { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(id, (parts) => {
        const developer_id = parts.join('');
        fc.pre(developer_id.trim() === developer_id);
        expect(metadata({ note: `by ${developer_id}` }, { developer_id })).toEqual({
          note: `by [developer:${hashes.developer(developer_id).slice(0, 16)}]`,
        });
      }),
    );
  });

  it('stays the same mark for the same person and another for another', () => {
    const mark = (address: string) => JSON.stringify(metadata({ address }));
    expect(mark('bob@example.org')).toBe(mark('BOB@example.org'));
    expect(mark('bob@example.org')).not.toBe(mark('eve@example.org'));
  });

  it('never reaches the canonical form, wherever it was put', () => {
    const where = fc.constantFrom('metadata', 'workflow', 'workload', 'extra_property');
    const wrap = fc.constantFrom(
      (id: string) => ({ a: id }),
      (id: string) => ({ a: [{ b: `x ${id} y` }] }),
      (id: string) => ({ [id]: true }),
      (id: string) => ({ a: `(${id})` }),
    );
    const id = fc.constantFrom(base.developer_id, base.email, 'eve+tag@mail.example.org');
    fc.assert(
      fc.property(where, wrap, id, fc.jsonValue({ maxDepth: 2 }), (place, put, who, noise) => {
        const verdict = screen({ [place]: { ...put(who), noise } });
        if (verdict.kind !== 'masked') throw new Error(`it was ${verdict.kind}`);
        expect(textOf(verdict.sent)).not.toContain(who);
      }),
    );
  });
});

function withoutIdentity(sent: SentUsageEvent): object {
  const { developer_id: _id, email: _email, ...rest } = sent;
  return rest;
}
