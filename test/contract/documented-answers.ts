import { expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ask, type ContractAnswer } from './contract-answer.js';

interface Documented {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Record<string, { responses: Readonly<Record<string, Documented>> }>>
  >;
  readonly components: object;
}

const formats = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  'uri-reference': /^\S*$/,
  email: true,
} as const;

/** What the served `/openapi.json` says of answers. */
export class DocumentedAnswers {
  private readonly ajv = new Ajv2020({ strict: false, formats });
  private readonly validators = new Map<string, ValidateFunction>();

  private constructor(private readonly document: Document) {}

  static async read(baseUrl: string): Promise<DocumentedAnswers> {
    const { text } = await ask(baseUrl, '/openapi.json');
    return new DocumentedAnswers(JSON.parse(text) as Document);
  }

  /** `POST /api/usage/track 200` and so on. */
  pairs(): readonly string[] {
    return Object.entries(this.document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    );
  }

  /** Expects an answer to have a documented status, media type, body and header fields. */
  expectToDescribe(endpoint: string, { status, headers, text }: ContractAnswer): void {
    const documented = this.find(endpoint, status);
    expect(Object.keys(documented.headers ?? {}).filter((name) => !headers.has(name))).toEqual([]);
    const { content } = documented;
    if (content === undefined) return;
    const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
    expect(Object.keys(content)).toContain(type);
    const body: unknown = type.endsWith('json') ? JSON.parse(text) : text;
    const validate = this.validatorOf(`${endpoint} ${status} ${type}`, content[type]!.schema);
    validate(body);
    expect(validate.errors ?? []).toEqual([]);
  }

  private find(endpoint: string, status: number): Documented {
    const [method = '', path = ''] = toDocumented(endpoint).split(' ');
    const documented = this.document.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (documented === undefined) throw new Error(`${endpoint} ${status} is not documented.`);
    return documented;
  }

  private validatorOf(key: string, schema: object): ValidateFunction {
    const known = this.validators.get(key);
    if (known !== undefined) return known;
    const { components } = this.document;
    const validate = this.ajv.compile({ ...schema, components });
    this.validators.set(key, validate);
    return validate;
  }
}

/** `GET /problems/:code` is `GET /problems/{code}` in the document. */
export function toDocumented(endpoint: string): string {
  return endpoint.replace(/:(\w+)/g, '{$1}');
}
