import { UptakeConfig } from '#runtime/config.js';
import { settingsOf, type Setting } from '#runtime/setting.js';
import { SettingRules } from './setting-rules.js';

const origin = 'Generated from libs/runtime/src/config.ts by `npm run docs`; do not edit.';

/** `docs/configuration.md`: one table per section of the configuration class. */
export function renderConfigurationPage(): string {
  const tables = [...settingsBySection()].map(
    ([section, settings]) =>
      `## ${section}\n\n` +
      '| Variable | Takes | Default | Secret | Meaning |\n|---|---|---|---|---|\n' +
      settings.map(toTableRow).join('\n'),
  );
  return `<!-- ${origin} -->

# Configuration

Every setting is an environment variable. All of them are read once, when a process starts; a value
that does not fit ends the start with a message that names the variable, what it takes and what it
was given. An empty variable counts as unset; 1 and 0 stand for true and false. Secrets appear in no
message and no log.

${tables.join('\n\n')}
`;
}

/**
 * `.env.example`: the same settings as a file to copy. Defaults are commented out, what must be set
 * is not, and no secret has a value. `compose` is the text of `docker-compose.yml`, whose own
 * required variables come last.
 */
export function renderEnvExample(compose: string): string {
  const sections = [...settingsBySection()].map(
    ([section, settings]) => `# ${section}\n\n${settings.map(toEnvLines).join('\n\n')}`,
  );
  const known = new Set(settingsOf(UptakeConfig).map(({ env }) => env));
  const composeOnly = [...compose.matchAll(/\$\{(\w+):\?([^}]*)\}/g)]
    .filter(([, variable], index, all) => all.findIndex((match) => match[1] === variable) === index)
    .filter(([, variable]) => !known.has(variable!))
    .map(([, variable, message]) => `# ${message}\n${variable}=`);
  return `# ${origin}

${sections.join('\n\n')}

# Read by docker-compose.yml only

${composeOnly.join('\n\n')}
`;
}

function settingsBySection(): ReadonlyMap<string, readonly Setting[]> {
  const sections = new Map<string, Setting[]>();
  for (const setting of settingsOf(UptakeConfig)) {
    const settings = sections.get(setting.section) ?? [];
    sections.set(setting.section, [...settings, setting]);
  }
  return sections;
}

function toTableRow(setting: Setting): string {
  const rules = SettingRules.of(setting);
  const fallback = defaultOf(setting);
  const shownDefault = fallback ? `\`${fallback}\`` : rules.optional ? '–' : 'none, required';
  const cells = [
    `\`${setting.env}\``,
    rules.describeValues(),
    shownDefault,
    setting.secret ? 'yes' : '',
    setting.description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function toEnvLines(setting: Setting): string {
  const value = setting.secret ? '' : defaultOf(setting);
  const required = value === '' && !SettingRules.of(setting).optional;
  return `# ${setting.description}\n${required ? '' : '#'}${setting.env}=${value}`;
}

/** The default as one would write it into the environment; empty when there is none. */
function defaultOf(setting: Setting): string {
  const defaults: Readonly<Partial<Record<string, unknown>>> = { ...new UptakeConfig() };
  const value = defaults[setting.property] as string | number | boolean | undefined;
  return value === undefined ? '' : String(value);
}
