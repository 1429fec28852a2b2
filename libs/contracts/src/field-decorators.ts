import 'reflect-metadata';
import { Type } from 'class-transformer';
import { buildMessage, IsObject, IsOptional, ValidateBy, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import validator from 'validator';
import { codePoints } from '#domain/text/code-points.js';
import { parseInstant } from '#domain/text/instant.js';

/**
 * Decorators that class-validator and JSON Schema understand alike. Where the stock decorator and
 * its derived schema disagree (character counts, dates, e-mail), the rule is one function here and
 * `compile-contract.ts` registers the same function as an Ajv format.
 */

/** JSON Schema `format` names and the functions behind them. */
export const formats = {
  instant: (text: string) => parseInstant(text) !== null,
  'email-address': isEmailAddress,
} as const;

const plain_email =
  /^[a-z0-9](?:[a-z0-9_+-]|\.(?=[a-z0-9]))*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,18}$/i;

/** An e-mail address; the plain common form is accepted without the costly full check. */
export function isEmailAddress(text: string): boolean {
  if (text.length <= 64 && plain_email.test(text)) return true;
  // validator throws on half a surrogate pair.
  return text.isWellFormed() && validator.isEmail(text);
}

/** A string of `min` to `max` characters (code points). */
export function Text(max: number, min = 0): PropertyDecorator {
  const validate = (value: unknown): boolean => {
    if (typeof value !== 'string') return false;
    const length = codePoints(value);
    return length >= min && length <= max;
  };
  const message = `must be a string of ${min} to ${max} characters`;
  return all(
    ValidateBy({
      name: 'text',
      constraints: [min, max],
      validator: { validate, defaultMessage: buildMessage(() => message) },
    }),
    JSONSchema({
      type: 'string',
      ...(min > 0 && { minLength: min }),
      maxLength: max,
    }),
  );
}

/** An ISO 8601 date and time with a zone. */
export function Instant(): PropertyDecorator {
  return formatted(
    'instant',
    'must be an ISO 8601 date and time with a zone, such as 2026-05-22T10:00:00Z',
  );
}

/** An e-mail address. */
export function EmailAddress(): PropertyDecorator {
  return formatted('email-address', 'must be an e-mail address');
}

/** A whole number of zero or more that JavaScript can hold exactly. */
export function WholeNumber(): PropertyDecorator {
  const validate = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  return all(
    ValidateBy({
      name: 'wholeNumber',
      validator: {
        validate,
        defaultMessage: buildMessage(() => 'must be a whole number of 0 or more'),
      },
    }),
    JSONSchema({
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  );
}

/** A JSON object with any members. */
export function FreeForm(): PropertyDecorator {
  const validate = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return all(
    ValidateBy({
      name: 'freeForm',
      validator: {
        validate,
        defaultMessage: buildMessage(() => 'must be an object'),
      },
    }),
    JSONSchema({ type: 'object' }),
  );
}

/** May be absent; `null` counts as absent. */
export function Optional(): PropertyDecorator {
  return IsOptional();
}

const nested_class = Symbol('nested class');

/** An object with a class of its own; extra properties are allowed in it. */
export function Nested(type: () => new () => object): PropertyDecorator {
  return (target, property) => {
    for (const decorate of [IsObject(), ValidateNested(), Type(type)]) decorate(target, property);
    Reflect.defineMetadata(nested_class, type(), target, property);
  };
}

/** The class that `@Nested` names, if the property has one. */
export function nestedClassOf(
  dto: new () => object,
  property: string,
): (new () => object) | undefined {
  return Reflect.getMetadata(nested_class, dto.prototype as object, property) as
    (new () => object) | undefined;
}

function formatted(format: keyof typeof formats, expectation: string): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && formats[format](value);
  return all(
    ValidateBy({
      name: format,
      validator: { validate, defaultMessage: buildMessage(() => expectation) },
    }),
    JSONSchema({ type: 'string', format }),
  );
}

function all(
  validate: PropertyDecorator,
  describe: (target: object, property?: string) => void,
): PropertyDecorator {
  return (target, property) => {
    validate(target, property);
    describe(target, String(property));
  };
}
