import { error_remedies } from '#domain/error-remedies.js';
import { error_catalogue, statusOf, type ErrorCode } from '#domain/errors.js';
import { toHtmlPage } from '../pages/html-page.js';

/** A page in both of its forms. */
export interface Page {
  readonly html: string;
  readonly markdown: string;
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(error_catalogue, text);
}

/** What a code means and what to do about it. */
export function problemPage(code: ErrorCode): Page {
  const { title } = error_catalogue[code];
  const [status, remedy] = [statusOf(code), error_remedies[code]];
  const retry = retryOf(status);
  const markdown = `# ${code}

${title}

- Status: ${status}
- Content type: application/problem+json

## What to do

${remedy}

${retry}
`;
  return { markdown, html: toHtmlPage(code, markdown) };
}

/** Every code with its status and meaning. */
export function problemList(): Page {
  const lines = Object.entries(error_catalogue).map(
    ([code, { title }]) =>
      `- [${code}](/problems/${code}): ${statusOf(code as ErrorCode)}. ${title}`,
  );
  const markdown = `# Problems

Every error is \`application/problem+json\` (RFC 9457) with one of these codes in \`code\`.

${lines.join('\n')}
`;
  return { markdown, html: toHtmlPage('Problems', markdown) };
}

function retryOf(status: number): string {
  if (status === 429 || status === 503) return 'The same request may be sent again, after a pause.';
  if (status >= 500 || status === 408) return 'The same request may be sent again.';
  return 'The same request would get the same answer: change it before you send it again.';
}
