/** Node's names of a certificate that nobody trusted has signed. */
const untrusted_codes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const refused_names = new Set([
  'KafkaJSSASLAuthenticationError',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
]);

/** A broker hangs up on who speaks no TLS, or unproven, where it demands either. */
const hung_up_names = new Set(['KafkaJSConnectionClosedError', 'ECONNRESET', 'EPIPE']);

/**
 * Which settings to look at after `error` has kept the cluster from being reached: the brokers and
 * Node name none, and a broker that demands TLS just hangs up. Empty when the error says it all.
 */
export function settingsToCheck(error: unknown): string {
  const names = namesOf(error);
  if (names.some((name) => refused_names.has(name))) {
    return '; check KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD';
  }
  if (names.some((name) => untrusted_codes.has(name))) {
    return '; KAFKA_TLS_CA must name the certificate of who signed that of the brokers';
  }
  if (names.some((name) => hung_up_names.has(name))) {
    return '; check KAFKA_TLS and KAFKA_SASL_MECHANISM against what the brokers demand';
  }
  return '';
}

/** What the error and its causes are called, by themselves, by Kafka and by Node. */
function namesOf(error: unknown): string[] {
  const names: unknown[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, type } = at as { readonly code?: unknown; readonly type?: unknown };
    names.push(at.name, code, type);
  }
  return names.filter((name) => typeof name === 'string');
}
