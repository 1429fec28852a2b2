import { IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { FromEnv } from './setting.js';

const quota = { message: 'must be units/seconds such as 3000/60' };
const quota_pattern = /^[1-9]\d{0,11}\/[1-9]\d{0,4}$/;

/** Settings of the HTTP server: part of `UptakeConfig`, which lists them with the others. */
export abstract class HttpConfig {
  @FromEnv({
    env: 'REQUEST_LOG_LEVEL',
    section: 'Server',
    description: 'Level of the one log line per request; probes are logged at debug.',
  })
  @IsIn(['info', 'debug', 'trace', 'silent'])
  requestLogLevel: 'info' | 'debug' | 'trace' | 'silent' = 'info';

  @FromEnv({
    env: 'TRUSTED_PROXY_HOPS',
    section: 'Server',
    description:
      'Proxies in front of the API whose X-Forwarded-For is believed; 0 takes the socket address.',
  })
  @IsInt()
  @Min(0)
  @Max(10)
  trustedProxyHops: number = 0;

  @FromEnv({
    env: 'HEADERS_WAIT_MS_MAX',
    section: 'Limits',
    description:
      'Longest time for the header of a request to arrive, in milliseconds; noticed within 5 s.',
  })
  @IsInt()
  @Min(100)
  headersWaitMsMax: number = 15_000;

  @FromEnv({
    env: 'REQUEST_WAIT_MS_MAX',
    section: 'Limits',
    description: 'Longest time for a whole request to arrive, in milliseconds; noticed within 5 s.',
  })
  @IsInt()
  @Min(100)
  requestWaitMsMax: number = 60_000;

  @FromEnv({
    env: 'BODY_BYTES_IN_FLIGHT_MAX',
    section: 'Limits',
    description: 'Bytes of all request bodies held at once before further ones get 503.',
  })
  @IsInt()
  @Min(1024)
  bodyBytesInFlightMax: number = 40 * 1024 * 1024;

  @FromEnv({
    env: 'RATE_LIMIT_PUBLIC_READ',
    section: 'Rate limits',
    description: 'Public reads per client address: requests/seconds.',
  })
  @Matches(quota_pattern, quota)
  rateLimitPublicRead: string = '3000/60';

  @FromEnv({
    env: 'RATE_LIMIT_TRACKING',
    section: 'Rate limits',
    description: 'Tracking per key: events/seconds.',
  })
  @Matches(quota_pattern, quota)
  rateLimitTracking: string = '6000000/60';

  @FromEnv({
    env: 'RATE_LIMIT_RELAY',
    section: 'Rate limits',
    description: 'Relayed events per key: events/seconds.',
  })
  @Matches(quota_pattern, quota)
  rateLimitRelay: string = '600000/60';

  @FromEnv({
    env: 'RATE_LIMIT_INTAKE',
    section: 'Rate limits',
    description: 'Perk submissions and install events per client address: requests/seconds.',
  })
  @Matches(quota_pattern, quota)
  rateLimitIntake: string = '120/60';

  @FromEnv({
    env: 'RATE_LIMIT_WORKFLOW',
    section: 'Rate limits',
    description: 'Workflow calls per token or session: requests/seconds.',
  })
  @Matches(quota_pattern, quota)
  rateLimitWorkflow: string = '600/60';
}
