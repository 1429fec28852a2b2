import { type DynamicModule, Module } from '@nestjs/common';
import { Readiness, type ReadinessChecks } from '#runtime/readiness.js';
import { ProbesController } from './probes.controller.js';

@Module({})
export class ProbesModule {
  static over(checks: ReadinessChecks): DynamicModule {
    return {
      module: ProbesModule,
      controllers: [ProbesController],
      providers: [{ provide: Readiness, useValue: new Readiness(checks) }],
    };
  }
}
