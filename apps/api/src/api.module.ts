import { type DynamicModule, Module } from '@nestjs/common';

/** The door: every module of the API, each over the stores it was given. */
@Module({})
export class ApiModule {
  static over(imports: readonly DynamicModule[]): DynamicModule {
    return { module: ApiModule, imports: [...imports] };
  }
}
