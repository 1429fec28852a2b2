declare module 'freemail' {
  export function isFree(email: string): boolean;
  export function isDisposable(email: string): boolean;
}
