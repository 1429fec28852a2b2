/**
 * Up to `most` candidates that a typing error away from `word` could have meant, nearest first,
 * ties in alphabetical order: `nearest('INSTAL', ['INSTALL', 'DEPLOY'], 3)` is `['INSTALL']`.
 */
export function nearest(word: string, candidates: readonly string[], most: number): string[] {
  const distance_max = Math.min(Math.max(2, Math.floor(word.length / 3)), typing_errors_max);
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate, distance_max) }))
    .filter(({ distance }) => distance <= distance_max)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** Longer words have no more of them. It also bounds what a comparison of two texts may cost. */
const typing_errors_max = 8;

/** Levenshtein distance in UTF-16 units, or Infinity where it is more than `max`. */
function editDistance(from: string, to: string, max: number): number {
  if (Math.abs(from.length - to.length) > max) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= to.length; j += 1) {
      const substitution = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const distance = Math.min(row[j]! + 1, next[j - 1]! + 1, substitution);
      next.push(distance);
      if (distance < least) least = distance;
    }
    if (least > max) return Infinity;
    row = next;
  }
  return row[to.length]!;
}
