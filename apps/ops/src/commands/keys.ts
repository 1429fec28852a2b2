import { Command, Option } from 'commander';
import { displayPrefix } from '#domain/credentials/credential.js';
import { keyState, type RotationRefusal } from '#domain/credentials/key-rotation.js';
import type { DirectoryStore } from '#postgres/organizations/directory-store.js';
import type { ListedTrackingKey } from '#postgres/organizations/tracking-key-store.js';
import { instant, table, type Answer } from '../answer.js';
import { keyId, label, overlap } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import { organizationOf, productOf } from '../lookups.js';
import type { RunCommand } from '../run-command.js';

const default_overlap = 'PT24H';
const shown_once = 'It is shown this once: set it as SERVICE_ADOPTION_KEY on your server.';

interface CreateOptions {
  readonly org: string;
  readonly product?: string;
  readonly name: string;
  readonly requireSignature?: boolean;
}

export function keysCommand(run: RunCommand): Command {
  const keys = new Command('keys').description('tracking keys');
  keys
    .command('create')
    .description('issue a tracking key and print it, this once')
    .requiredOption('--org <org>', 'slug or id of the organization it speaks for')
    .option('--product <product>', 'slug or id of the only product it may track')
    .option('--name <name>', 'what to call it in lists', label, '')
    .option('--require-signature', 'refuse requests without a valid x-service-signature')
    .action((options: CreateOptions, command: Command) =>
      run(command, (store) => createKey(store, options)),
    );
  keys
    .command('list')
    .description('list keys without their secrets, newest first')
    .option('--org <org>', 'of one organization only')
    .action(({ org }: { readonly org?: string }, command: Command) =>
      run(command, (store) => listKeys(store, org)),
    );
  keys
    .command('rotate')
    .description('issue a successor; the old key works until the overlap is over')
    .argument('<key-id>', 'id of the key', keyId)
    .addOption(
      new Option('--overlap <duration>', 'ISO 8601 duration')
        .argParser(overlap)
        .default(overlap(default_overlap), default_overlap),
    )
    .action((id: string, options: { readonly overlap: number }, command: Command) =>
      run(command, (store) => rotateKey(store, id, options.overlap)),
    );
  keys
    .command('revoke')
    .description('end a key now')
    .argument('<key-id>', 'id of the key', keyId)
    .action((id: string, _options: object, command: Command) =>
      run(command, async (store) => {
        if (await store.keys.revoke(id)) {
          return {
            lines: [`Key ${id} is revoked; within seconds every API process refuses it.`],
            json: { keyId: id, revoked: true },
          };
        }
        throw new CommandFailedError('key_not_found', `There is no unrevoked key ${id}.`);
      }),
    );
  return keys;
}

async function createKey(
  store: DirectoryStore,
  { org, product, name, requireSignature = false }: CreateOptions,
): Promise<Answer> {
  const organization = await organizationOf(store, org);
  const only = product === undefined ? null : await productOf(store, organization, product);
  const { keyId, trackingKey } = await store.keys.issue({
    organizationId: organization.id,
    productId: only?.id ?? null,
    name,
    requireSignature,
  });
  const scope = only === null ? 'all its products' : `the product ${only.slug}`;
  return {
    lines: [
      `Tracking key ${keyId} of ${organization.slug} for ${scope}:`,
      '',
      `  ${trackingKey}`,
      '',
      shown_once,
    ],
    json: {
      keyId,
      trackingKey,
      prefix: displayPrefix(trackingKey),
      organization: organization.slug,
      product: only?.slug ?? null,
      name,
      requireSignature,
    },
    unread: unread(keyId),
  };
}

function unread(keyId: string): string {
  return `Key ${keyId} was issued and nobody has seen it: revoke it, and issue another.`;
}

async function listKeys(store: DirectoryStore, org: string | undefined): Promise<Answer> {
  const organizationId = org === undefined ? undefined : (await organizationOf(store, org)).id;
  const [keys, organizations] = await Promise.all([
    store.keys.list(organizationId),
    store.organizations(),
  ]);
  const slugs = new Map(organizations.map(({ id, slug }) => [id, slug]));
  const now = Date.now();
  const shown = keys.map((key) => toListed(key, slugs.get(key.organizationId) ?? null, now));
  return {
    lines: table(
      ['ID', 'KEY', 'NAME', 'ORGANIZATION', 'SCOPE', 'STATE', 'LAST USED'],
      shown.map(({ keyId, prefix, name, organization, productId, state, lastUsedAt }) => [
        keyId,
        `${prefix}…`,
        name,
        organization,
        productId === null ? 'organization' : 'product',
        state,
        lastUsedAt,
      ]),
    ),
    json: shown,
  };
}

function toListed(key: ListedTrackingKey, organization: string | null, now: number) {
  return {
    keyId: key.id,
    prefix: key.displayPrefix,
    name: key.name,
    organization,
    productId: key.productId,
    requireSignature: key.requireSignature,
    state: keyState(key, now),
    createdAt: instant(key.createdAt),
    lastUsedAt: instant(key.lastUsedAt),
    expiresAt: instant(key.expiresAt),
    successorId: key.successorId,
    revokedAt: instant(key.revokedAt),
  };
}

async function rotateKey(store: DirectoryStore, id: string, overlapMs: number): Promise<Answer> {
  const outcome = await store.keys.rotate(id, overlapMs, Date.now());
  if (outcome.kind === 'refused') {
    throw new CommandFailedError(`key_${outcome.reason}`, refusal(id, outcome.reason));
  }
  const { successor, expiresAt } = outcome;
  return {
    lines: [
      `The successor of key ${id} is ${successor.keyId}:`,
      '',
      `  ${successor.trackingKey}`,
      '',
      shown_once,
      `The old key works until ${instant(expiresAt)}.`,
    ],
    json: {
      keyId: successor.keyId,
      trackingKey: successor.trackingKey,
      prefix: displayPrefix(successor.trackingKey),
      replaces: id,
      oldKeyExpiresAt: instant(expiresAt),
    },
    unread: unread(successor.keyId),
  };
}

function refusal(id: string, reason: RotationRefusal): string {
  switch (reason) {
    case 'not_found':
      return `There is no key ${id}; "ops keys list" shows them.`;
    case 'revoked':
      return `Key ${id} is revoked. Issue a new one: ops keys create.`;
    case 'expired':
      return `Key ${id} has expired. Rotate its successor, or issue a new one: ops keys create.`;
    case 'already_rotated':
      return `Key ${id} was rotated before; rotate its successor instead.`;
  }
}
