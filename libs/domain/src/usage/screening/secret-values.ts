/**
 * Every secret below has a run of token characters of this length, but for private keys, `Bearer `
 * and passwords in addresses.
 */
export const token_characters_min = 16;

/**
 * Secrets by the prefixes their issuers gave them so that they can be found. Every repetition is
 * bounded: the time is linear in the text, whatever the text is.
 */
const prefixed = [
  String.raw`Bearer +[\w.~+/=-]{16}`,
  String.raw`(?:bearer|BEARER) +[\w.~+/=-]{0,80}[\w-]{16}`,
  String.raw`eyJ[\w-]{10,400}\.eyJ[\w-]{10}`, // JSON web token
  String.raw`A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Z0-9])`, // AWS
  String.raw`AIza[\w-]{35}`, // Google
  String.raw`ya29\.[\w-]{20}`,
  String.raw`GOCSPX-[\w-]{20}`,
  String.raw`gh[opsur]_[A-Za-z0-9]{30}`, // GitHub
  String.raw`github_pat_\w{20}`,
  String.raw`glpat-[\w-]{20}`, // GitLab
  String.raw`xox[abeoprs]-[\w-]{16}`, // Slack
  String.raw`xapp-\d-[\w-]{16}`,
  String.raw`[prs]k_(?:live|test|prod)_\w{16}`, // Stripe, Clerk
  String.raw`whsec_\w{10}`,
  String.raw`sk-[A-Za-z0-9][\w-]{19}`, // OpenAI, Anthropic, OpenRouter
  String.raw`(?:gsk|xai|pplx|r8|fw)[-_][A-Za-z0-9]{24}`, // model hosts
  String.raw`hf_[A-Za-z0-9]{30}`, // Hugging Face
  String.raw`npm_[A-Za-z0-9]{36}`,
  String.raw`pypi-[\w-]{40}`,
  String.raw`SG\.[\w-]{16,80}\.[\w-]{16}`, // SendGrid
  String.raw`SK[0-9a-f]{32}\b`, // Twilio
  String.raw`dop_v1_[0-9a-f]{40}`, // DigitalOcean
  String.raw`dapi[0-9a-f]{32}`, // Databricks
  String.raw`shp(?:at|ca|pa|ss)_[0-9a-f]{32}`, // Shopify
  String.raw`(?:lin_api|sbp|tskey-auth|figd)[-_][\w-]{24}`,
  String.raw`(?:trk|wft|ent)_[\w-]{43}`, // our own
];
const secret = new RegExp(String.raw`-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:${prefixed.join('|')})`);
const password_in_address = /\b[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s/:@]*:[^\s/@]{3,}@/;

/**
 * Whether a text holds what looks like a live credential. Texts without a run of token characters
 * cost a nanosecond for three characters, others up to five for each.
 */
export function holdsSecret(text: string): boolean {
  if (holdsTokenSecret(text)) return true;
  return holdsSecretWords(text) && (secret.test(text) || password_in_address.test(text));
}

/** The secrets with a run of token characters. */
export function holdsTokenSecret(text: string): boolean {
  if (text.length < token_characters_min || !hasTokenRun(text)) return false;
  return !isHexadecimalOrTime(text) && secret.test(text);
}

/** The secrets without such a run, looked for in the text of a whole event at once. */
export function holdsSecretWords(text: string): boolean {
  return text.includes('Bearer ') || text.includes('PRIVATE KEY') || text.includes('@');
}

const ascii_characters = 128;
const of_tokens = 1;
const of_ids_and_times = 2;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const character_classes = new Uint8Array(ascii_characters);
for (const [characters, of] of [
  [`${letters}0123456789_-`, of_tokens],
  ['0123456789abcdefABCDEF:.TZ+-', of_ids_and_times],
] as const) {
  for (const character of characters) {
    character_classes[character.charCodeAt(0)]! |= of;
  }
}

/**
 * Whether a text has a run of token characters as long as the shortest secret; not so in most
 * prose, addresses and short words. Looks at every sixteenth character and goes back from there
 * only as far as the run does.
 */
function hasTokenRun(text: string): boolean {
  let at = token_characters_min - 1;
  while (at < text.length) {
    let back = 0;
    while (back < token_characters_min && isOf(of_tokens, text.charCodeAt(at - back))) back += 1;
    if (back === token_characters_min) return true;
    at += token_characters_min - back;
  }
  return false;
}

/** Ids, digests and times: no issuer's prefix is made of these characters alone. */
function isHexadecimalOrTime(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (!isOf(of_ids_and_times, text.charCodeAt(at))) return false;
  }
  return true;
}

function isOf(characterClass: number, code: number): boolean {
  return code < ascii_characters && (character_classes[code]! & characterClass) !== 0;
}
