import type { StandaloneCredentials } from '../standalone/standalone-run.js';
import { eventually } from '../support/eventually.js';

const published_ms_max = 60_000;

/** Stores what the starter tool needs to be published, so that ranking answers have figures. */
export async function publishRanking(credentials: StandaloneCredentials): Promise<void> {
  const { baseUrl, productTrackingKey } = credentials;
  const events = Array.from({ length: 60 }, (_, index) => ({
    event_name: 'FIRST_API_CALL',
    developer_id: `developer-${index}`,
    account_domain: `company-${index % 6}.com`,
  }));
  const stored = await fetch(`${baseUrl}/api/usage/track/batch`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${productTrackingKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ events }),
  });
  if (stored.status !== 200) throw new Error(`The batch was answered with ${stored.status}.`);
  await eventually(
    async () => (await fetch(`${baseUrl}/api/v1/adoption`)).text(),
    (page) => page.includes('"status":"published"'),
    published_ms_max,
  );
}
