/** Where push messages may be sent: a browser names the address, so it must not lead the server anywhere else. */
export type PushRule = {
  /** Push services; their subdomains too. */
  readonly hosts: readonly string[];
  /** Whether a push service on this machine may be used, for local mode and tests. */
  readonly loopback: boolean;
};

const LOOPBACK = ['localhost', '127.0.0.1'];

export function isLoopback(url: URL): boolean {
  return LOOPBACK.includes(url.hostname);
}

/** Null where nothing may be sent. */
export function pushUrl(endpoint: string, { hosts, loopback }: PushRule): URL | null {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (loopback && isLoopback(url) && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  const known = hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
  return known && url.protocol === 'https:' && url.port === '' ? url : null;
}
