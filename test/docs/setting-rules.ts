import { getMetadataStorage, type ValidationOptions } from 'class-validator';
import { UptakeConfig } from '#runtime/config.js';
import type { Setting } from '#runtime/setting.js';

interface Rule {
  readonly name?: string;
  readonly constraints?: readonly unknown[];
  readonly message?: ValidationOptions['message'];
}

/** What one setting takes, read from the decorators that validate it. */
export class SettingRules {
  private constructor(
    private readonly setting: Setting,
    private readonly rules: ReadonlyMap<string, Rule>,
  ) {}

  static of(setting: Setting): SettingRules {
    const rules = getMetadataStorage()
      .getTargetValidationMetadatas(UptakeConfig, '', false, false)
      .filter(({ propertyName }) => propertyName === setting.property)
      .map((rule) => [rule.name ?? '', rule] as const);
    return new SettingRules(setting, new Map(rules));
  }

  /** May the variable stay unset although it has no default? */
  get optional(): boolean {
    return this.rules.has('isOptional');
  }

  /** The values it takes, in words: `whole number, 0 to 65535`. */
  describeValues(): string {
    if (this.setting.type === 'boolean') return '`true` or `false`';
    if (this.setting.type === 'number') {
      return `${this.rules.has('isInt') ? 'whole number' : 'number'}${this.describeRange()}`;
    }
    const choices = this.limit<readonly string[]>('isIn');
    if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(', ');
    if (this.rules.has('isUrl')) return this.describeAddress();
    const shape = this.rules.get('matches')?.message;
    if (typeof shape === 'string') return shape.replace('must be ', '');
    const shortest = this.limit<number>('minLength');
    return shortest === undefined ? 'text' : `text of at least ${shortest} characters`;
  }

  private describeRange(): string {
    const least = this.limit<number>('min');
    const most = this.limit<number>('max');
    if (least !== undefined && most !== undefined) return `, ${least} to ${most}`;
    if (least !== undefined) return `, at least ${least}`;
    return most === undefined ? '' : `, at most ${most}`;
  }

  private describeAddress(): string {
    const protocols = this.limit<{ protocols?: readonly string[] }>('isUrl')?.protocols;
    return `URL (${(protocols ?? ['http', 'https']).join(', ')})`;
  }

  private limit<T>(name: string): T | undefined {
    return this.rules.get(name)?.constraints?.[0] as T | undefined;
  }
}
