const style = [
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}',
  'body{color:#1b1f24;background:#fff}a{color:#0b57d0}',
  'code{background:#f2f4f7;padding:.1em .3em;border-radius:4px}',
  '@media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#14171b}',
  'code{background:#23282f}a{color:#8ab4f8}}',
].join('');

/**
 * A page from the little markdown that our own pages use: headings, lists, paragraphs, code and
 * links, each on one line. It needs no script and loads nothing.
 */
export function toHtmlPage(title: string, markdown: string): string {
  const body = markdown.trim().split('\n\n').map(toBlock).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Uptake</title>
<style>${style}</style>
</head>
<body>
${body}
<p><a href="/problems">All problems</a> · <a href="/docs">API reference</a></p>
</body>
</html>
`;
}

function toBlock(block: string): string {
  const lines = block.split('\n');
  if (lines[0]!.startsWith('## ')) return `<h2>${inline(lines[0]!.slice(3))}</h2>`;
  if (lines[0]!.startsWith('# ')) return `<h1>${inline(lines[0]!.slice(2))}</h1>`;
  if (lines[0]!.startsWith('- ')) {
    return `<ul>\n${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join('\n')}\n</ul>`;
  }
  return `<p>${inline(lines.join(' '))}</p>`;
}

function inline(text: string): string {
  return escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\((\/[^)\s]*)\)/g, '<a href="$2">$1</a>');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
