/** Keeps the latest answers of a pure function of a text; the oldest makes room for a new one. */
export function remember<T>(answers_max: number, ask: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = ask(text);
    if (answers.size >= answers_max) answers.delete(answers.keys().next().value as string);
    answers.set(text, answer);
    return answer;
  };
}
