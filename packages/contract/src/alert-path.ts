import type { AlertBody } from './calls/alerts.ts';

/** The page of the web app that an alert leads to. */
export function alertPath(body: AlertBody): string {
  if ('slug' in body) return `/strategies/${encodeURIComponent(body.slug)}`;
  if (body.kind === 'deposit' || body.kind === 'withdrawal') return '/account';
  if (body.kind === 'security') return '/account?tab=security';
  return `/token/${encodeURIComponent(body.tokenContractAddress)}`;
}
