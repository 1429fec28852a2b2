import type { ChildMessage } from './child-messages.js';

/** Sends a message up; the child ends when its parent has gone. */
export function tellParent(message: ChildMessage): void {
  process.send?.(message);
}

export function endWithParent(): void {
  process.on('disconnect', () => process.exit(0));
}

/** Resolves when the parent sends `word`. */
export function hearFromParent(word: string): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === word) resolve();
    });
  });
}
