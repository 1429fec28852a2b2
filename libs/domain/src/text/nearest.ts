/**
 * Up to `most` candidates that a typing error away from `word` could have meant, nearest first,
 * ties in alphabetical order: `nearest('INSTAL', ['INSTALL', 'DEPLOY'], 3)` is `['INSTALL']`.
 */
export function nearest(word: string, candidates: readonly string[], most: number): string[] {
  const distance_max = Math.max(2, Math.floor(word.length / 3));
  return candidates
    .map((candidate) => ({
      candidate,
      distance: editDistance(word, candidate),
    }))
    .filter(({ distance }) => distance <= distance_max)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** Levenshtein distance in UTF-16 units. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const substitution = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, substitution));
    }
    row = next;
  }
  return row[to.length]!;
}
