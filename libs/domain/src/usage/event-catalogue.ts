/** What an event says about adoption; specification 6.1. */
export const event_families = [
  'intent',
  'evaluation',
  'activation',
  'retention',
  'expansion',
  'commercial',
] as const;

export type EventFamily = (typeof event_families)[number];

/** `unassigned`: a catalogued name to which the specification gives no family. */
export type AssignedFamily = EventFamily | 'unassigned';

/** The server event types of specification 2.3. */
export const event_types = [
  'INSTALL',
  'SIGNUP',
  'API_KEY_CREATED',
  'FIRST_API_CALL',
  'API_CALL',
  'SDK_INITIALIZED',
  'PROJECT_CREATED',
  'DEPLOY',
  'SUBMISSION',
  'CUSTOM',
] as const;

/**
 * Catalogued event names and their family. The partner events carry the family of the table in
 * specification 6.1; the server event types the family whose meaning there describes them.
 * `CUSTOM` is absent: it stands for names that are not catalogued.
 */
export const event_catalogue: ReadonlyMap<string, AssignedFamily> = new Map<string, AssignedFamily>(
  [
    ['INSTALL', 'evaluation'],
    ['SIGNUP', 'evaluation'],
    ['API_KEY_CREATED', 'evaluation'],
    ['SDK_INITIALIZED', 'evaluation'],
    ['FIRST_API_CALL', 'activation'],
    ['PROJECT_CREATED', 'activation'],
    ['SUBMISSION', 'activation'],
    ['API_CALL', 'retention'],
    ['DEPLOY', 'retention'],
    ['DOCS_MCP_CONNECTED', 'evaluation'],
    ['WEB_MCP_CONNECTED', 'evaluation'],
    ['MCP_TOOL_CALL_SUCCEEDED', 'activation'],
    ['MCP_TOOL_CALL_FAILED', 'unassigned'],
    ['FIRST_UNLOCKER_REQUEST_SUCCEEDED', 'activation'],
    ['SCRAPER_JOB_COMPLETED', 'activation'],
    ['ZONE_USAGE_REPORTED', 'retention'],
    ['RETURNED_AFTER_7_DAYS', 'retention'],
    ['ENTERPRISE_USAGE_THRESHOLD_REACHED', 'commercial'],
    ['CREDIT_CLAIMED', 'commercial'],
    ['MODEL_CALL_COMPLETED', 'unassigned'],
    ['STACK_SPEND_REPORTED', 'unassigned'],
  ],
);
