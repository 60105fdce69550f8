type Operation = {
  operationId: string;
  summary: string;
  security?: unknown;
  'x-api-key': 'read' | 'trade' | 'session';
  parameters?: unknown;
  requestBody?: unknown;
};

const keyTexts = { read: 'any API key', trade: 'an API key that may trade', session: 'no API key' } as const;

function needsOf({ security, 'x-api-key': scope }: Operation): string {
  return `${security ? 'needs a session' : 'open to everybody'}; ${keyTexts[scope]}`;
}

/** A page for people that needs no script and nothing from outside: every call with its request schema. */
export function apiDocsPage(document: unknown, origin: string): string {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const sections = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => `<details><summary><b>${method.toUpperCase()}</b> <code>${escape(path)}</code>
(${needsOf(operation)})</summary><p>${escape(operation.summary)}</p>
<pre>${escape(JSON.stringify(operation.parameters ?? operation.requestBody ?? {}, null, 2))}</pre></details>`,
    ),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hunter API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Hunter API</h1>
<p>Every answer is an envelope <code>{ code, msg, data }</code>. The machine-readable form is at
<a href="/api/openapi.json">/api/openapi.json</a>.</p>
<h2>API keys</h2>
<p>Make a key in Account, Security, API keys. It is shown once. Send it as a bearer token:</p>
<pre>curl -H 'Authorization: Bearer hk_…' '${escape(origin)}/api/user/getMyPositions'

curl -H 'Authorization: Bearer hk_…' -H 'Idempotency-Key: my-order-1' \\
  -d '{"tokenContractAddress":"…","side":"buy","amount":"0.1","slippageBps":100}' \\
  '${escape(origin)}/api/token/tokenTransfer'</pre>
<p>A key that reads sees balances, positions, orders and records. A key that may trade also buys, sells, follows and places triggers,
up to its SOL per day and at a slippage of at most 5%. No key withdraws, shows a private key, or changes passwords, second factors,
keys, limits or settings; those answer 403 with code 1160. Beyond its rate a key is answered 429 with <code>Retry-After</code>.</p>
<h2>Calls</h2>${sections.join('\n')}</main></body></html>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
