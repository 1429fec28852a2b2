import { ProblemError } from '#domain/errors.js';

interface Range {
  readonly type: string;
  readonly quality: number;
}

/**
 * The offered media type that an `Accept` header likes best, the first of those it likes equally;
 * null when it accepts none. A header that is absent or empty accepts everything:
 * `acceptedType('text/markdown, *\/*;q=0.1', ['text/html', 'text/markdown'])` is `text/markdown`.
 */
export function acceptedType<Type extends string>(
  accept: string | undefined,
  offers: readonly [Type, ...Type[]],
): Type | null {
  if (accept === undefined || accept === '*/*' || accept === offers[0]) return offers[0];
  const ranges = accept.split(',').map(toRange);
  if (ranges.every(({ type }) => type === '')) return offers[0];
  let best: Type | null = null;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > bestQuality) [best, bestQuality] = [offer, quality];
  }
  return best;
}

/** @throws ProblemError `not_acceptable` where `acceptedType` finds none. */
export function requireAcceptedType<Type extends string>(
  accept: string | undefined,
  offers: readonly [Type, ...Type[]],
): Type {
  const type = acceptedType(accept, offers);
  if (type !== null) return type;
  const detail = `The answer comes as ${offers.join(' or ')}.`;
  throw new ProblemError('not_acceptable', detail, { members: { supported: offers } });
}

function toRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const sent = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = sent === undefined ? 1 : Number(sent.slice(2));
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}

/** The most exact range that covers the type decides. */
function qualityOf(offer: string, ranges: readonly Range[]): number {
  const family = `${offer.split('/', 1)[0]!}/*`;
  for (const covering of [offer, family, '*/*']) {
    const range = ranges.find(({ type }) => type === covering);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
