/** The keyed hashes that one event carries of its developer; at least one is present. */
export interface DeveloperHashes {
  readonly developerHash: string | null;
  readonly emailHash: string | null;
}
