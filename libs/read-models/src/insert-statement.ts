/**
 * An insert whose rows follow as lines of JSON arrays. The server must neither gather inserts of
 * its own accord nor swallow a repeated block: rows collapse by their key, and by nothing else.
 */
export function insertStatement(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')})
SETTINGS async_insert = 0, deduplicate_insert = 'disable'
FORMAT JSONCompactEachRow`;
}
