import { registerDecorator } from 'class-validator';

/** A setting that means something only beside another one, which `needed` names to the operator. */
export function GoesWith(other: string, needed: string): PropertyDecorator {
  return relation(`goesWith ${other}`, `needs ${needed}`, (_value, config) => {
    const beside = config[other];
    return beside !== undefined && beside !== false;
  });
}

/** A number that may not exceed another setting, unless that is negative: left to somebody else. */
export function NotAbove(other: string, variable: string): PropertyDecorator {
  return relation(`notAbove ${other}`, `must not be above ${variable}`, (value, config) => {
    const limit = Number(config[other]);
    return limit < 0 || Number(value) <= limit;
  });
}

function relation(
  name: string,
  message: string,
  holds: (value: unknown, config: Readonly<Record<string, unknown>>) => boolean,
): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options: { message },
      validator: {
        validate: (value, { object } = { object: {} } as never) =>
          holds(value, object as Readonly<Record<string, unknown>>),
      },
    });
  };
}
