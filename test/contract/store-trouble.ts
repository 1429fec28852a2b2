import { Client } from 'pg';

/** Runs `work` while every append waits for a lock, as it would on a server that hangs. */
export function whileAppendsHang<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  return onDatabase(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select 1 from event_log.partition for update');
    try {
      return await work();
    } finally {
      await client.query('rollback');
    }
  });
}

/** Runs `work` while every question for tracking keys fails. */
export function whileKeysAreUnreadable<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  return onDatabase(databaseUrl, async (client) => {
    await client.query('alter table tracking_key rename to tracking_key_elsewhere');
    try {
      return await work();
    } finally {
      await client.query('alter table tracking_key_elsewhere rename to tracking_key');
    }
  });
}

async function onDatabase<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
