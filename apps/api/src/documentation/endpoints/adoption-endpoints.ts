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
];

const not_modified = { description: 'The client has this version already; costs no quota.' };

const ranking = {
  method: 'GET',
  tag: 'Adoption',
  access: 'public',
  policy: 'public-read',
  crossOrigin: true,
  parameters,
  answers: {
    200: {
      description: 'Published rows of the latest epoch; small cohorts have no figures.',
      type: 'application/json',
      schema: schemaOf('AdoptionPage'),
    },
    304: not_modified,
  },
  problems: ['invalid_query', 'rate_limited', 'internal_error', 'not_ready'],
} as const;

/** Specification 4.4 and 4.5. */
export const adoption_endpoints: readonly Endpoint[] = [
  { ...ranking, path: '/api/v1/adoption', summary: 'The adoption ranking' },
  { ...ranking, path: '/api/v1/agent-rank', summary: 'Another name of the adoption ranking' },
  {
    method: 'GET',
    path: '/methodology',
    tag: 'Adoption',
    summary: 'How rows come about',
    access: 'public',
    policy: 'public-read',
    crossOrigin: true,
    answers: {
      200: {
        description: 'Thresholds, rounding, score and their limits.',
        type: 'application/json',
        schema: { type: 'object' },
      },
      304: not_modified,
    },
    problems: ['rate_limited', 'internal_error'],
  },
];
