import { type DynamicModule, Module } from '@nestjs/common';
import type { HttpConfig } from '#runtime/http-config.js';
import { DocsAssets } from './docs-assets.js';
import { DocumentationController } from './documentation.controller.js';
import { api_endpoints } from './endpoints/endpoints.js';
import { ProblemsController } from './problems.controller.js';
import { ServiceDescription } from './service-description.js';

@Module({})
export class DocumentationModule {
  static over(config: HttpConfig, baseUrl: () => string): DynamicModule {
    return {
      module: DocumentationModule,
      controllers: [DocumentationController, ProblemsController],
      providers: [
        { provide: DocsAssets, useValue: new DocsAssets() },
        {
          provide: ServiceDescription,
          useValue: new ServiceDescription(api_endpoints, config, baseUrl),
        },
      ],
    };
  }
}
