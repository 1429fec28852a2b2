interface WaitingCall<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets the calls of one turn of the event loop share one question to the server: the partitions of
 * a member wake up together, and a round trip costs more than what it carries.
 */
export class JoinedCalls<Input, Output> {
  private waiting: WaitingCall<Input, Output>[] = [];

  /** @param ask answers all inputs in their order; when it fails, every call of the turn does. */
  constructor(private readonly ask: (inputs: readonly Input[]) => Promise<readonly Output[]>) {}

  add(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => void this.askAll());
      this.waiting.push({ input, resolve, reject });
    });
  }

  private async askAll(): Promise<void> {
    const calls = this.waiting;
    this.waiting = [];
    try {
      const outputs = await this.ask(calls.map(({ input }) => input));
      calls.forEach(({ resolve }, index) => resolve(outputs[index]!));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}
