/** Wakes one waiter; a ring that nobody waits for is kept for the next wait. */
export class Bell {
  private rung = false;
  private answer: (() => void) | null = null;

  ring(): void {
    this.rung = true;
    this.answer?.();
  }

  /** Resolves at the next ring, or after `ms`. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.answer = null;
        this.rung = false;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      this.answer = finish;
      if (this.rung) finish();
    });
  }
}
