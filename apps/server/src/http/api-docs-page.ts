type Operation = {
  operationId: string;
  summary: string;
  security?: unknown;
  parameters?: unknown;
  requestBody?: unknown;
};

/** A page for people that needs no script and nothing from outside: every call with its request schema. */
export function apiDocsPage(document: unknown): string {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const sections = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => `<details><summary><b>${method.toUpperCase()}</b> <code>${escape(path)}</code>
${operation.security ? '(needs a session)' : ''}</summary><p>${escape(operation.summary)}</p>
<pre>${escape(JSON.stringify(operation.parameters ?? operation.requestBody ?? {}, null, 2))}</pre></details>`,
    ),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hunter API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Hunter API</h1>
<p>Every answer is an envelope <code>{ code, msg, data }</code>. The machine-readable form is at
<a href="/api/openapi.json">/api/openapi.json</a>.</p>${sections.join('\n')}</main></body></html>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
