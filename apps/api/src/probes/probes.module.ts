import { type DynamicModule, Module } from '@nestjs/common';
import { ProbesController } from './probes.controller.js';
import { Readiness, type Dependency } from './readiness.js';

@Module({})
export class ProbesModule {
  static over(dependencies: readonly Dependency[]): DynamicModule {
    return {
      module: ProbesModule,
      controllers: [ProbesController],
      providers: [{ provide: Readiness, useValue: new Readiness(dependencies) }],
    };
  }
}
