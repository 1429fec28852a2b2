import type { Endpoint } from '../../http/endpoint.js';
import { adoption_endpoints } from './adoption-endpoints.js';
import { service_endpoints } from './service-endpoints.js';
import { tracking_endpoints } from './tracking-endpoints.js';

/** Every endpoint of the API; a spec compares this with what the server serves. */
export const api_endpoints: readonly Endpoint[] = [
  ...tracking_endpoints,
  ...adoption_endpoints,
  ...service_endpoints,
];
