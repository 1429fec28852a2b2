import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A part of `/docs` as it is sent. */
export interface DocsAsset {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

const types: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const start_script = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
});
`;

/** `/docs`: Swagger UI from the package, with nothing from another host. */
export const docs_page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Uptake · API reference</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** The page may load from here only; Swagger UI sets styles by attribute. */
export const docs_policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;" +
  " object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Reads the parts of the page from the package when they are first asked for. */
export class DocsAssets {
  private readonly known = new Map<string, DocsAsset>();

  /** Null when the page has no such part. */
  find(name: string): DocsAsset | null {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const asset = read(name);
    if (asset !== null) this.known.set(name, asset);
    return asset;
  }
}

function read(name: string): DocsAsset | null {
  if (name === 'start.js') {
    return toAsset('text/javascript; charset=utf-8', Buffer.from(start_script));
  }
  if (!Object.hasOwn(types, name)) return null;
  const file = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return toAsset(types[name]!, readFileSync(file));
}

function toAsset(type: string, body: Buffer): DocsAsset {
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
