import 'reflect-metadata';
import { Ajv, type ValidateFunction } from 'ajv';
import { plainToInstance } from 'class-transformer';
import {
  getMetadataStorage,
  validateSync,
  ValidationTypes,
  type ValidationError,
} from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { Finding } from '#domain/errors.js';
import { escapedPointerToken } from '#domain/text/json-pointer.js';
import { formats, nestedClassOf } from './field-decorators.js';

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

type Dto = new () => object;

/** A contract ready for the hot path. */
export interface CompiledContract {
  /** JSON Schema (draft 2020-12 vocabulary) derived from the decorators. */
  readonly schema: object;
  /** The verdict of the compiled schema; the same as `check(value).length === 0`. */
  readonly accepts: (value: unknown) => boolean;
  /** The findings of class-validator, for the rare body that was not accepted. */
  readonly check: (value: unknown, pointer: string) => readonly Finding[];
}

/**
 * Derives a JSON Schema from the class-validator decorators of `dto` and compiles it with Ajv.
 * class-validator itself costs some 70 µs an event; it runs only to word what was refused.
 */
export function compileContract(dto: Dto): CompiledContract {
  const schema = schemaOf(dto);
  const ajv = new Ajv({
    strict: false,
    allErrors: false,
    validateFormats: true,
  });
  for (const [name, accepts] of Object.entries(formats)) ajv.addFormat(name, accepts);
  const accepts: ValidateFunction = ajv.compile(schema);
  return {
    schema,
    accepts: (value) => accepts(value),
    check: (value, pointer) => findings(dto, value, pointer),
  };
}

/** An optional property may also be `null`: class-validator takes it so, the derived schema not. */
function schemaOf(dto: Dto): JsonSchema {
  const derived = targetConstructorToSchema(dto, {
    additionalConverters: described_elsewhere,
  }) as JsonSchema;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const optional = new Set(
    rules
      .filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ propertyName }) => propertyName),
  );
  const properties: Record<string, JsonSchema> = {};
  for (const [name, property] of Object.entries(derived.properties ?? {})) {
    const nested = nestedClassOf(dto, name);
    const schema = nested === undefined ? property : { ...property, ...schemaOf(nested) };
    properties[name] = optional.has(name) ? nullable(schema) : schema;
  }
  return { ...derived, type: 'object', properties };
}

/** Our own decorators bring their schema along; nested classes are walked above. */
const described_elsewhere = {
  [ValidationTypes.CUSTOM_VALIDATION]: {},
  [ValidationTypes.NESTED_VALIDATION]: {},
};

function nullable(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(typeof schema.type === 'string' && { type: [schema.type, 'null'] }),
    ...(schema.enum !== undefined && { enum: [...schema.enum, null] }),
  };
}

function findings(dto: Dto, value: unknown, pointer: string): readonly Finding[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ code: 'invalid_field', pointer, detail: 'must be an object' }];
  }
  const instance = plainToInstance(dto, outlineOf(dto, value));
  return flatten(validateSync(instance, { forbidUnknownValues: false }), pointer);
}

/**
 * The value as deep as the rules look: only properties that have a rule, and of objects without a
 * class of their own only what they are. Senders choose how large and how deep the rest is.
 */
function outlineOf(dto: Dto, value: object): object {
  const outline: Record<string, unknown> = {};
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  for (const name of new Set(rules.map(({ propertyName }) => propertyName))) {
    if (!Object.hasOwn(value, name)) continue;
    const member = (value as Record<string, unknown>)[name];
    const nested = nestedClassOf(dto, name);
    if (typeof member !== 'object' || member === null) outline[name] = member;
    else if (Array.isArray(member)) outline[name] = [];
    else outline[name] = nested === undefined ? {} : outlineOf(nested, member);
  }
  return outline;
}

function flatten(errors: readonly ValidationError[], pointer: string): readonly Finding[] {
  return errors.flatMap((error) => {
    const at = `${pointer}/${escapedPointerToken(error.property)}`;
    // One finding a field: the first rule that failed.
    const own = Object.values(error.constraints ?? {})
      .slice(0, 1)
      .map((message): Finding => {
        const detail = message.replace(`${error.property} `, '');
        return { code: 'invalid_field', pointer: at, detail };
      });
    return [...own, ...flatten(error.children ?? [], at)];
  });
}
