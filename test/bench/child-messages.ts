/** What a child process of the bench says once it is ready. */
export interface ReadyMessage {
  readonly baseUrl: string | null;
}

/** Tells the parent; a child without a parent has nobody to tell. */
export function tellParent(message: object): void {
  process.send?.(message);
}
