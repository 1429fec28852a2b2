import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, runProgram } from './child-program.js';

const keytool_ms_max = 60_000;
const keystore_type = 'PKCS12';
const scram_mechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
const login_modules = 'org.apache.kafka.common.security';

/** What the clients of a broker must show; it encrypts with a certificate that it signed itself. */
export interface BrokerSecurity {
  /** Known to every mechanism; letters, digits, "-" and "_" only. */
  readonly username: string;
  readonly password: string;
  /** How long a client is believed before it must prove itself again; for good when absent. */
  readonly reauthenticateMs?: number;
}

/** Where the certificate of a broker is that demands one, for `KAFKA_TLS_CA`. */
export function certificateOf(directory: string): string {
  return join(directory, 'certificate.pem');
}

/** The settings of the listener `name`, with a certificate made at the first call. */
export async function securedListener(
  directory: string,
  name: string,
  { username, password, reauthenticateMs = 0 }: BrokerSecurity,
): Promise<Readonly<Record<string, string | number>>> {
  const keystore = await makeCertificate(directory);
  const listener = `listener.name.${name.toLowerCase()}`;
  const plain = `${login_modules}.plain.PlainLoginModule required user_${username}="${password}";`;
  const scram = `${login_modules}.scram.ScramLoginModule required;`;
  const scrams = scram_mechanisms.map((mechanism) => [
    `${listener}.${mechanism.toLowerCase()}.sasl.jaas.config`,
    scram,
  ]);
  return {
    'inter.broker.listener.name': name,
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'sasl.enabled.mechanisms': ['PLAIN', ...scram_mechanisms].join(),
    'connections.max.reauth.ms': reauthenticateMs,
    [`${listener}.plain.sasl.jaas.config`]: plain,
    ...(Object.fromEntries(scrams) as Record<string, string>),
    'ssl.keystore.type': keystore_type,
    'ssl.keystore.location': keystore.path,
    'ssl.keystore.password': keystore.password,
    'ssl.key.password': keystore.password,
    // A broker refuses to start when it does not trust itself.
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': certificateOf(directory),
  };
}

/** What the storage is formatted with, so that it knows the user: SCRAM keeps users there. */
export function scramUsers({ username, password }: BrokerSecurity): readonly string[] {
  return scram_mechanisms.flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${username},password=${password}]`,
  ]);
}

async function makeCertificate(directory: string): Promise<{ path: string; password: string }> {
  const path = join(directory, 'keystore.p12');
  const passwordFile = join(directory, 'keystore.password');
  if (!(await exists(passwordFile))) {
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  const kept = ['-alias', 'broker', '-keystore', path, '-storetype', keystore_type];
  const known = [...kept, '-storepass:file', passwordFile];
  if (!(await exists(path))) {
    const key = ['-keyalg', 'EC', '-groupname', 'secp256r1', '-validity', '2'];
    const names = ['-dname', 'CN=localhost', '-ext', 'SAN=dns:localhost,ip:127.0.0.1'];
    await runProgram('keytool', ['-genkeypair', ...known, ...key, ...names], keytool_ms_max);
  }
  const pem = ['-rfc', '-file', certificateOf(directory)];
  await runProgram('keytool', ['-exportcert', ...known, ...pem], keytool_ms_max);
  return { path, password: await readFile(passwordFile, 'utf8') };
}
