import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '#embedded-engines/free-port.js';
import { brokerProject, brokerProperties } from './broker-release.js';
import { scramUsers, securedListener, type BrokerSecurity } from './broker-security.js';
import { exists, runProgram } from './child-program.js';

const maven_ms_max = 300_000;
const format_ms_max = 60_000;
const maven_plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.7.1';

/** What is on disk for one broker, and the ports that it keeps over restarts. */
export interface BrokerFiles {
  readonly jars: string;
  readonly properties: string;
  readonly port: number;
}

export interface BrokerFolder {
  readonly directory: string;
  readonly version: string;
  /** A free one when absent, kept from then on. */
  readonly port?: number | undefined;
  /** What clients must show; nothing when absent. */
  readonly security?: BrokerSecurity | undefined;
}

/** Makes the folder of a broker ready: jars, settings, formatted storage. Repeating is harmless. */
export async function prepareBroker(folder: BrokerFolder): Promise<BrokerFiles> {
  const { directory, version, security } = folder;
  const jars = join(directory, `jars-${version}`);
  const properties = join(directory, 'server.properties');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (!(await exists(jars))) await fetchJars(directory, jars, version);
  const { port, controllerPort } = await portsOf(folder);
  const records = join(directory, 'records');
  const place = { version, port, controllerPort, records };
  const protocol = security === undefined ? 'PLAINTEXT' : 'SASL_SSL';
  const secured = security && (await securedListener(directory, protocol, security));
  await writeFile(properties, brokerProperties(place, { protocol, settings: secured ?? {} }), {
    mode: 0o600,
  });
  const users = security === undefined ? [] : scramUsers(security);
  if (!(await exists(join(records, 'meta.properties')))) await format(jars, properties, users);
  return { jars, properties, port };
}

/** Maven puts them into a folder that gets its name only when it is complete. */
async function fetchJars(directory: string, jars: string, version: string): Promise<void> {
  const project = join(directory, 'pom.xml');
  const unfinished = `${jars}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await writeFile(project, brokerProject(version));
  const given = [
    '-q',
    '-B',
    '-f',
    project,
    `${maven_plugin}:copy-dependencies`,
    `-DoutputDirectory=${unfinished}`,
  ];
  await runProgram('mvn', given, maven_ms_max);
  // Without a configuration the older logging library says that it has none, and nothing else.
  const quiet = 'log4j.rootLogger=WARN, out\nlog4j.appender.out=org.apache.log4j.ConsoleAppender\n';
  const layout = 'log4j.appender.out.layout=org.apache.log4j.PatternLayout\n';
  await writeFile(
    join(unfinished, 'log4j.properties'),
    `${quiet}${layout}log4j.appender.out.layout.ConversionPattern=%d %p %c{1} %m%n\n`,
  );
  await rename(unfinished, jars);
}

async function portsOf({ directory, port }: BrokerFolder) {
  const kept = join(directory, 'ports.json');
  if (await exists(kept)) {
    const ports = JSON.parse(await readFile(kept, 'utf8')) as {
      readonly port: number;
      readonly controllerPort: number;
    };
    if (port === undefined || port === ports.port) return ports;
  }
  const ports = { port: port ?? (await freePort()), controllerPort: await freePort() };
  await writeFile(kept, JSON.stringify(ports));
  return ports;
}

async function format(jars: string, properties: string, users: readonly string[]): Promise<void> {
  const tool = [...classPath(jars), 'kafka.tools.StorageTool'];
  const given = ['format', '--ignore-formatted', '--cluster-id', clusterId(), '-c', properties];
  await runProgram('java', [...tool, ...given, ...users], format_ms_max);
}

export function classPath(jars: string): readonly string[] {
  return ['-cp', `${jars}:${jars}/*`];
}

/** 16 random bytes in base64url; one that begins with a dash would be taken for an option. */
function clusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? clusterId() : id;
}
