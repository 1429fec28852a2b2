import 'reflect-metadata';

/** What the generated documentation says of one environment variable. */
export interface Setting {
  readonly env: string;
  readonly property: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly description: string;
  /** Section heading in `docs/configuration.md`. */
  readonly section: string;
  /** Never printed, neither in messages nor in logs. */
  readonly secret: boolean;
}

interface SettingOptions {
  readonly env: string;
  readonly description: string;
  readonly section: string;
  readonly secret?: boolean;
}

const settings_by_class = new Map<object, Setting[]>();

/** Binds a property of the configuration class to one environment variable. */
export function FromEnv(options: SettingOptions): PropertyDecorator {
  return (target, property) => {
    const designType: unknown = Reflect.getMetadata('design:type', target, property);
    const known = settings_by_class.get(target.constructor) ?? [];
    known.push({
      env: options.env,
      property: String(property),
      type: designType === Number ? 'number' : designType === Boolean ? 'boolean' : 'string',
      description: options.description,
      section: options.section,
      secret: options.secret ?? false,
    });
    settings_by_class.set(target.constructor, known);
  };
}

/** Every setting of a configuration class in the order of its source, inherited ones after. */
export function settingsOf(configClass: object): readonly Setting[] {
  const inherited = Object.getPrototypeOf(configClass) as object | null;
  return [
    ...(settings_by_class.get(configClass) ?? []),
    ...(inherited === null ? [] : settingsOf(inherited)),
  ];
}
