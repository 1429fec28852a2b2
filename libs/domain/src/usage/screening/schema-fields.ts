import { NameSet } from '../../text/name-set.js';

/** What the specification (2.3) names in one object of an event, and how screening treats it. */
export interface SchemaFields {
  /** These names stay as they are, whatever a developer is called. */
  readonly names: NameSet;
  /** Identities themselves, times, enumerations and counts: no mark can stand in their place. */
  readonly whole: NameSet;
  /** Texts that name things, not people: a developer id in them is a coincidence. */
  readonly naming: NameSet;
  /** The objects within that have names of their own. */
  readonly inner: ReadonlyMap<string, SchemaFields>;
}

const identities = ['developer_id', 'developerId', 'userId', 'email', 'idempotencyKey', 'event_id'];
const fixed_texts = ['event_name', 'eventType', 'event_family', 'eventFamily', 'occurredAt'];
const counts = ['tokens_consumed', 'credit_cents', 'latency_ms', 'retry_count', 'error_count'];
/** Fields that take no mark in the place of their value. */
export const fixed_form_fields = [...fixed_texts, ...counts];
const names_of_things = [
  'account_domain',
  'mcp_server',
  'mcp_tool',
  'agent_framework',
  'model_provider',
];
const product_names = ['id', 'name', 'type', 'version'];

/** The fields of an event; every other property is the sender's own. */
export const event_fields = schemaFields({
  names: [
    ...identities,
    ...fixed_texts,
    ...counts,
    ...names_of_things,
    'product',
    'account',
    'workflow',
    'workload',
    'metadata',
    'context',
    'projectId',
    'source',
  ],
  whole: [...identities, ...fixed_form_fields],
  naming: names_of_things,
  inner: {
    product: schemaFields({ names: product_names, naming: product_names }),
    account: schemaFields({ names: ['name', 'domain'], naming: ['domain'] }),
    context: schemaFields({
      names: ['attribution'],
      inner: { attribution: schemaFields({ names: ['campaignId', 'source'] }) },
    }),
  },
});

/**
 * Texts of an event that are not searched for secrets: hashed, masked where they are stored (the
 * key), or of a fixed form.
 */
export const unsearched_fields = new NameSet([...identities, ...fixed_texts]);

interface FieldLists {
  readonly names: readonly string[];
  readonly whole?: readonly string[];
  readonly naming?: readonly string[];
  readonly inner?: Readonly<Record<string, SchemaFields>>;
}

function schemaFields({ names, whole = [], naming = [], inner = {} }: FieldLists): SchemaFields {
  return {
    names: new NameSet(names),
    whole: new NameSet(whole),
    naming: new NameSet(naming),
    inner: new Map(Object.entries(inner)),
  };
}
