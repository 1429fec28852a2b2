const style = [
  ':root{color-scheme:light dark}',
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}',
  'body{color:#1b1f24;background:#fff}a{color:#0b57d0}',
  'h1,h2{line-height:1.25}h2{margin-top:2.5rem}li{margin:.3rem 0}',
  'code{background:#f2f4f7;padding:.1em .3em;border-radius:4px;overflow-wrap:anywhere}',
  'table{border-collapse:collapse;margin:1rem 0}',
  'th,td{text-align:left;vertical-align:top;padding:.35rem 1.25rem .35rem 0}',
  'th,td{border-bottom:1px solid #d0d5dd}',
  'nav{margin-top:3rem;padding-top:1rem;border-top:1px solid #d0d5dd}',
  '@media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#14171b}',
  'code{background:#23282f}a{color:#8ab4f8}th,td,nav{border-color:#3a414b}}',
].join('');

/** For the header: such a page runs no script and loads nothing, wherever its words come from. */
export const page_policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';" +
  " frame-ancestors 'none'";

/**
 * A page from the little markdown that our own pages use, blocks parted by an empty line: headings,
 * lists, tables, paragraphs, code and links to our own addresses.
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
<main>
${body}
</main>
<nav aria-label="Uptake"><a href="/methodology">Methodology</a> · <a href="/problems">All
problems</a> · <a href="/docs">API reference</a></nav>
</body>
</html>
`;
}

function toBlock(block: string): string {
  const lines = block.split('\n');
  if (block.startsWith('## ')) return `<h2>${inline(block.slice(3))}</h2>`;
  if (block.startsWith('# ')) return `<h1>${inline(block.slice(2))}</h1>`;
  if (block.startsWith('- ')) return toList(block);
  if (block.startsWith('| ')) return toTable(lines);
  return `<p>${inline(lines.join(' '))}</p>`;
}

/** Items begin with a hyphen; other lines go on with the item above. */
function toList(block: string): string {
  const items = block
    .slice(2)
    .split('\n- ')
    .map((item) => item.replace(/\n\s*/g, ' '));
  return `<ul>\n${items.map((item) => `<li>${inline(item)}</li>`).join('\n')}\n</ul>`;
}

/** The first line is the header, the second one only parts it from the rows. */
function toTable([header = '', , ...rows]: readonly string[]): string {
  const head = cells(header).map((cell) => `<th scope="col">${inline(cell)}</th>`);
  const body = rows.map((row) => cells(row).map((cell) => `<td>${inline(cell)}</td>`));
  const lines = body.map((row) => `<tr>${row.join('')}</tr>`).join('\n');
  return `<table>\n<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${lines}\n</tbody>\n</table>`;
}

function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
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
