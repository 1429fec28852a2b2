import { userInfo } from 'node:os';

/** Who runs this process, for audit records. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run under a number that has no name.
    return 'unknown';
  }
}
