import type { JsonSchema } from '../http/endpoint.js';

export const text = { type: 'string' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const time = { type: 'string', format: 'date-time' } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const flag = { type: 'boolean' } as const;

export const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** An object whose named properties are all there unless `optional` follows; others may be. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}
