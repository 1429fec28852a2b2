import { validateSync } from 'class-validator';
import { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import { ProblemError } from '#domain/errors.js';

const remembered_max = 1_000;
const remembered_characters_max = 256;
const whole_number = /^(0|[1-9]\d{0,8})$/;

/** Reads query strings strictly and remembers the good ones, for most of them come again. */
export class AdoptionQueryReader {
  private readonly remembered = new Map<string, AdoptionQueryDto>();

  /** The query that this text stands for, if it came before: `''`, or from the mark on. */
  known(text: string): AdoptionQueryDto | null {
    return this.remembered.get(text) ?? null;
  }

  /**
   * The query of an address such as `/api/v1/adoption?period=7d`. Parameters that it does not know
   * are ignored.
   * @throws ProblemError `invalid_query`, one finding for each parameter that is wrong.
   */
  read(address: string, parsed: unknown): AdoptionQueryDto {
    const start = address.search(/[?#]/);
    const text = start === -1 ? '' : address.slice(start);
    const known = this.remembered.get(text);
    if (known !== undefined) return known;
    const query = toQuery(parsed as Readonly<Record<string, unknown>>);
    if (text.length > remembered_characters_max) return query;
    if (this.remembered.size >= remembered_max) this.remembered.clear();
    this.remembered.set(text, query);
    return query;
  }
}

function toQuery(parameters: Readonly<Record<string, unknown>>): AdoptionQueryDto {
  const query = new AdoptionQueryDto();
  for (const name of ['category', 'tool', 'period', 'limit', 'cursor'] as const) {
    const value = parameters[name];
    if (value === undefined) continue;
    const isNumber = name === 'limit' && typeof value === 'string' && whole_number.test(value);
    Object.assign(query, { [name]: isNumber ? Number(value) : value });
  }
  const errors = validateSync(query, { stopAtFirstError: true }).map((error) => ({
    code: 'invalid_field' as const,
    parameter: error.property,
    detail: Object.values(error.constraints ?? {}).join('; '),
  }));
  if (errors.length > 0) {
    const names = errors.map(({ parameter }) => parameter).join(', ');
    throw new ProblemError('invalid_query', `Not valid: ${names}.`, { errors });
  }
  return query;
}
