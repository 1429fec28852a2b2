/** A table of the column store with rows that belong to single developers. */
export interface PersonalTable {
  readonly table: string;
  /** Column that holds the key of the developer. */
  readonly devKeyColumn: string;
}
