import { Controller, Get, Header } from '@nestjs/common';
import { metrics_content_type, metricsText } from '#runtime/metrics.js';

/** `/metrics` of the API process; worker and projector have theirs beside their probes. */
@Controller('metrics')
export class MetricsController {
  @Get()
  @Header('content-type', metrics_content_type)
  @Header('cache-control', 'no-store')
  metrics(): Promise<string> {
    return metricsText();
  }
}
