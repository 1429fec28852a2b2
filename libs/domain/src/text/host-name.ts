/**
 * The host of what people paste where a domain is asked for: without scheme, credentials, port and
 * path. `hostOf('https://www.acme.example:8443/pricing?x')` is `www.acme.example`; a text that is
 * no address of a page comes back trimmed. Whether the host is a domain is not decided here.
 */
export function hostOf(text: string): string {
  const withoutScheme = text.trim().replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, '');
  const authority = withoutScheme.split(/[/?#\\]/, 1)[0]!;
  const withPort = authority.slice(authority.lastIndexOf('@') + 1);
  return withPort.replace(/:\d*$/, '');
}
