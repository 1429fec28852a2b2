import type { HttpConfig } from '#runtime/http-config.js';
import type { Endpoint } from '../http/endpoint.js';
import { rateLimitPolicies } from '../rate-limits/rate-limit-policies.js';
import { toLlmsText } from './llms-text.js';
import { toOpenApiDocument } from './openapi.js';

/** The descriptions of this service, written once it knows its own address. */
export class ServiceDescription {
  private written: { readonly openApi: Buffer; readonly llms: string } | null = null;

  constructor(
    private readonly endpoints: readonly Endpoint[],
    private readonly config: HttpConfig,
    private readonly baseUrl: () => string,
  ) {}

  get openApi(): Buffer {
    return this.write().openApi;
  }

  get llms(): string {
    return this.write().llms;
  }

  private write() {
    this.written ??= {
      openApi: Buffer.from(JSON.stringify(toOpenApiDocument(this.endpoints, this.baseUrl()))),
      llms: toLlmsText(this.endpoints, rateLimitPolicies(this.config), this.baseUrl()),
    };
    return this.written;
  }
}
