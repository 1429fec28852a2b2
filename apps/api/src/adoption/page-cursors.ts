import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import { ProblemError } from '#domain/errors.js';
import type { PublishedSnapshot } from './published-snapshots.js';

const signature_bytes = 16;
const checksum_characters = 16;

/** What a cursor says under its signature: snapshot, and how many rows came before. */
type CursorContent = readonly [epoch: number, checksum: string, offset: number];

/** The key of all instances that share a pepper; the pepper cannot be found from it. */
export function cursorKeyOf(pepper: string): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', 'cursors of public rankings', 32));
}

/**
 * Cursors of ranking pages. Each is bound to its snapshot and to category, tool and period, and
 * signed: pages that follow one another are of one epoch, or the reader is told.
 */
export class PageCursors {
  constructor(private readonly key: Buffer) {}

  /** The cursor of the page that begins after `offset` matching rows. */
  at(offset: number, { epoch }: PublishedSnapshot, query: AdoptionQueryDto): string {
    const content: CursorContent = [epoch.epoch, shortened(epoch.checksum), offset];
    const text = Buffer.from(JSON.stringify(content));
    return Buffer.concat([this.sign(text, query), text]).toString('base64url');
  }

  /**
   * How many matching rows come before the page of a query.
   * @throws ProblemError `invalid_query` for a cursor that was not made here for such a query,
   * `cursor_expired` for one of another snapshot.
   */
  offsetOf(query: AdoptionQueryDto, snapshot: PublishedSnapshot | null): number {
    if (query.cursor === undefined) return 0;
    const bytes = Buffer.from(query.cursor, 'base64url');
    const [signature, text] = [bytes.subarray(0, signature_bytes), bytes.subarray(signature_bytes)];
    const isWhole = text.length > 0 && bytes.toString('base64url') === query.cursor;
    if (!isWhole || !timingSafeEqual(signature, this.sign(text, query))) throw forged();
    const [epoch, checksum, offset] = JSON.parse(text.toString()) as CursorContent;
    const shown = snapshot?.epoch ?? null;
    if (shown?.epoch === epoch && shortened(shown.checksum) === checksum) return offset;
    throw expired(epoch, shown?.epoch ?? null);
  }

  private sign(text: Buffer, { category, tool, period }: AdoptionQueryDto): Buffer {
    const filters = JSON.stringify([category ?? null, tool ?? null, period]);
    const signature = createHmac('sha256', this.key).update(filters).update('\0').update(text);
    return signature.digest().subarray(0, signature_bytes);
  }
}

function shortened(checksum: string): string {
  return checksum.slice(0, checksum_characters);
}

function forged(): ProblemError {
  const detail = 'must be a `page.nextCursor`, unchanged, for the same category, tool and period';
  return new ProblemError('invalid_query', 'Not valid: cursor.', {
    errors: [{ code: 'invalid_field', parameter: 'cursor', detail }],
  });
}

function expired(epoch: number, shown: number | null): ProblemError {
  const detail =
    `The cursor belongs to epoch ${epoch}, and shown is ${shown === null ? 'none' : `${shown}`}.` +
    ' Begin again without a cursor.';
  return new ProblemError('cursor_expired', detail, { members: { epoch: shown } });
}
