/** The start cannot go on for a reason its user can do something about; the message says what. */
export class StartRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartRefusedError';
  }
}
