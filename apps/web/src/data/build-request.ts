// Apart from the client, because the boot script builds requests too and must not carry the client's texts.

export type Payload = Readonly<Record<string, unknown>>;

/** Throws what JSON throws for a payload that cannot be written, which the client reports as a setup failure. */
export function buildRequest(
  method: 'GET' | 'POST',
  path: string,
  payload: Payload,
  nowMs: number,
  token: string | null,
  extraHeaders: Record<string, string> = {},
): { url: string; init: RequestInit } {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...extraHeaders };
  if (token !== null) headers['token'] = token;
  if (method === 'POST') {
    return { url: path, init: { method, headers, body: JSON.stringify({ ...payload, t: nowMs }) } };
  }
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(payload)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object') throw new TypeError(`${key} cannot be a query parameter`);
    query.set(key, `${value as string | number | boolean}`);
  }
  query.set('t', String(nowMs));
  return { url: `${path}?${query}`, init: { method, headers } };
}
