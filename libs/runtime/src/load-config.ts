import { validateSync } from 'class-validator';
import { UptakeConfig } from './config.js';
import { settingsOf, type Setting } from './setting.js';

/** The environment does not describe a configuration; the message names every culprit. */
export class InvalidConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'InvalidConfigError';
  }
}

/**
 * Reads the whole configuration from `env`, once. An empty variable counts as absent.
 * @throws InvalidConfigError naming the variable, what was expected and the value it had.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): UptakeConfig {
  const config = new UptakeConfig();
  const settings = settingsOf(UptakeConfig);
  for (const setting of settings) {
    const text = env[setting.env];
    if (text !== undefined && text !== '') {
      Object.assign(config, { [setting.property]: parse(setting, text) });
    }
  }
  const problems = validateSync(config).map((error) => {
    const setting = settings.find(({ property }) => property === error.property);
    const expectation = Object.values(error.constraints ?? {})
      .map((text) => text.replace(`${error.property} `, ''))
      .join('; ');
    const given = setting === undefined ? undefined : env[setting.env];
    const shown =
      given === undefined || given === ''
        ? 'is not set'
        : setting!.secret
          ? 'is set'
          : `is "${given}"`;
    return `${setting?.env ?? error.property} ${shown}: ${expectation}`;
  });
  if (problems.length > 0) throw new InvalidConfigError(problems);
  return config;
}

function parse(setting: Setting, text: string): unknown {
  switch (setting.type) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || text === '1'
        ? true
        : text === 'false' || text === '0'
          ? false
          : text;
    case 'string':
      return text;
  }
}

/**
 * The value of an optional setting that this process cannot do without.
 * @throws InvalidConfigError naming the variable.
 */
export function required(config: UptakeConfig, property: 'databaseUrl' | 'clickhouseUrl'): string {
  const value = config[property];
  if (value !== undefined) return value;
  const setting = settingsOf(UptakeConfig).find((candidate) => candidate.property === property);
  throw new InvalidConfigError([`${setting?.env} is not set: this app needs an address`]);
}
