import { error_catalogue } from '#domain/errors.js';
import type { Endpoint } from '../../http/endpoint.js';
import { schemaOf } from '../schemas.js';

const open = { method: 'GET', access: 'public', policy: null, crossOrigin: true } as const;
const page = { type: 'string' };
const page_or_markdown = {
  description: 'A page, or markdown.',
  type: 'text/html',
  otherTypes: ['text/markdown'],
  schema: page,
};

const probe = { ...open, tag: 'Operations', crossOrigin: false, problems: [] } as const;
const manual = { ...open, tag: 'Documentation' } as const;

/** What operators, readers and programs ask about the service itself. */
export const service_endpoints: readonly Endpoint[] = [
  {
    ...probe,
    path: '/healthz',
    summary: 'The process lives',
    answers: {
      200: {
        description: 'It does.',
        type: 'application/json',
        schema: { type: 'object', required: ['alive'], properties: { alive: { const: true } } },
      },
    },
  },
  {
    ...probe,
    path: '/readyz',
    summary: 'Every engine answers',
    answers: {
      200: { description: 'All do.', type: 'application/json', schema: schemaOf('Readiness') },
      503: {
        description: 'At least one does not; `checks` names it.',
        type: 'application/json',
        schema: schemaOf('Readiness'),
      },
    },
  },
  {
    ...probe,
    path: '/metrics',
    summary: 'Metrics of this process, for Prometheus',
    answers: { 200: { description: 'Text format.', type: 'text/plain', schema: page } },
  },
  {
    ...manual,
    path: '/',
    summary: 'Leads to /docs',
    answers: { 302: { description: 'To /docs.' } },
    problems: [],
  },
  {
    ...manual,
    path: '/docs',
    summary: 'This description, to read and to try',
    answers: { 200: { description: 'A page.', type: 'text/html', schema: page } },
    problems: [],
  },
  {
    ...manual,
    path: '/docs/:asset',
    summary: 'Parts of the page',
    parameters: [
      {
        name: 'asset',
        in: 'path',
        required: true,
        description: 'Name of the file.',
        schema: { type: 'string', examples: ['start.js'] },
      },
    ],
    answers: { 200: { description: 'A file.' }, 304: { description: 'Unchanged.' } },
    problems: ['not_found'],
  },
  {
    ...manual,
    path: '/openapi.json',
    summary: 'This description, for programs',
    answers: {
      200: { description: 'OpenAPI 3.1.', type: 'application/json', schema: { type: 'object' } },
    },
    problems: [],
  },
  {
    ...manual,
    path: '/llms.txt',
    summary: 'This description, for agents',
    answers: { 200: { description: 'Plain text.', type: 'text/plain', schema: page } },
    problems: [],
  },
  {
    ...manual,
    path: '/problems',
    summary: 'Every error code',
    answers: { 200: page_or_markdown },
    problems: [],
  },
  {
    ...manual,
    path: '/problems/:code',
    summary: 'What an error code means and what to do about it',
    parameters: [
      {
        name: 'code',
        in: 'path',
        required: true,
        description: 'The code of a problem.',
        schema: { type: 'string', enum: Object.keys(error_catalogue) },
      },
    ],
    answers: { 200: page_or_markdown },
    problems: ['not_found'],
  },
];
