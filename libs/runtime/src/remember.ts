/**
 * Keeps the latest answers of a pure function of a text, `answers_max` of them at least and twice
 * as many at most. Two generations: when the young one is full it becomes the old one, and the old
 * one goes as a whole, which costs nothing an answer; what is asked again stays.
 */
export function remember<T>(answers_max: number, ask: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const answer = old.get(text) ?? ask(text);
    if (young.size >= answers_max) {
      old = young;
      young = new Map();
    }
    young.set(text, answer);
    return answer;
  };
}
