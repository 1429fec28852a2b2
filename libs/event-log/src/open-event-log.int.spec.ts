import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { createTestDatabase } from './embedded/test-database.js';
import { openEventLog } from './open-event-log.js';

const logger = createLogger('test', 'silent');
const identity = { IDENTITY_PEPPER: 'x'.repeat(32) };

describe('openEventLog', () => {
  it('opens the embedded log in the configured PostgreSQL', async () => {
    const database = await createTestDatabase(process.env['UPTAKE_TEST_DATABASE_URL']!);
    const log = await openEventLog(loadConfig({ ...identity, DATABASE_URL: database.url }), logger);
    expect(log.driver).toBe('embedded');
    expect(await log.health()).toMatchObject({ up: true });
    await log.close();
    await database.drop();
  });

  it('says that it cannot reach Kafka rather than using another log in silence', async () => {
    // Port 1 of the loopback: nobody listens there.
    const config = loadConfig({ ...identity, KAFKA_BROKERS: '127.0.0.1:1' });
    await expect(openEventLog(config, logger)).rejects.toThrow('KAFKA_BROKERS');
  });

  it('refuses a certificate file that is not one, by the name of its setting', async () => {
    const tls = { KAFKA_BROKERS: '127.0.0.1:1', KAFKA_TLS: 'true' };
    const openWith = (path: string) =>
      openEventLog(loadConfig({ ...identity, ...tls, KAFKA_TLS_CA: path }), logger);
    await expect(openWith('/absent.pem')).rejects.toThrow('KAFKA_TLS_CA is "/absent.pem"');
    await expect(openWith(fileURLToPath(import.meta.url))).rejects.toThrow(
      'holds no PEM certificate',
    );
  });

  it('names the setting that is missing when there is no address', async () => {
    await expect(openEventLog(loadConfig(identity), logger)).rejects.toThrow('DATABASE_URL');
  });
});
