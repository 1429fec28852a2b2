import type { Endpoint, EndpointParameter } from '../../http/endpoint.js';
import { adoption_periods, default_adoption_period } from '#domain/adoption/period.js';
import { schemaOf } from '../schemas.js';

const slug = { type: 'string', minLength: 1, maxLength: 100 };

const parameters: readonly EndpointParameter[] = [
  { name: 'category', in: 'query', description: 'Slug of a category.', schema: slug },
  { name: 'tool', in: 'query', description: 'Slug of a tool.', schema: slug },
  {
    name: 'period',
    in: 'query',
    description: 'Days that are looked back on.',
    schema: { type: 'string', enum: [...adoption_periods], default: default_adoption_period },
  },
  {
    name: 'limit',
    in: 'query',
    description: 'Most rows of the answer.',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 25 },
  },
  {
    name: 'cursor',
    in: 'query',
    description: '`page.nextCursor` of the answer before, for the same category, tool and period.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
];

const not_modified = { description: 'The client has this version already; costs no quota.' };

const public_read = {
  method: 'GET',
  tag: 'Adoption',
  access: 'public',
  policy: 'public-read',
  crossOrigin: true,
} as const;

const ranking = {
  ...public_read,
  parameters,
  answers: {
    200: {
      description:
        'Published rows of the latest epoch; small cohorts have no figures. CSV has the same rows' +
        ' in the same order, under a header line that names their paths in the JSON.',
      type: 'application/json',
      otherTypes: ['text/csv'],
      schema: schemaOf('AdoptionPage'),
    },
    304: not_modified,
  },
  problems: [
    'invalid_query',
    'not_acceptable',
    'cursor_expired',
    'rate_limited',
    'internal_error',
    'not_ready',
  ],
} as const satisfies Partial<Endpoint>;

/** Specification 4.4 and 4.5. */
export const adoption_endpoints: readonly Endpoint[] = [
  { ...ranking, path: '/api/v1/adoption', summary: 'The adoption ranking' },
  { ...ranking, path: '/api/v1/agent-rank', summary: 'Another name of the adoption ranking' },
  {
    ...public_read,
    path: '/methodology',
    summary: 'How rows come about',
    answers: {
      200: {
        description: 'The promise, the rules with their numbers, and what they do not cover.',
        type: 'application/json',
        otherTypes: ['text/html', 'text/markdown'],
        schema: schemaOf('Methodology'),
      },
      304: not_modified,
    },
    problems: ['not_acceptable', 'rate_limited', 'internal_error'],
  },
  {
    ...public_read,
    path: '/methodology.md',
    summary: 'How rows come about, as markdown',
    answers: {
      200: { description: 'The same.', type: 'text/markdown', schema: { type: 'string' } },
      304: not_modified,
    },
    problems: ['rate_limited', 'internal_error'],
  },
];
