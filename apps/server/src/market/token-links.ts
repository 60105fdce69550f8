import type { TokenLink } from '../venue/venue.ts';

const LENGTH_MAX = 200;
const LINKS_MAX = 5;

/** Links are chosen by whoever made the token: only plain https addresses are kept. */
export function checkedLinks(links: readonly TokenLink[] | null): TokenLink[] | null {
  return links === null ? null : links.filter(({ url }) => isPlain(url)).slice(0, LINKS_MAX);
}

function isPlain(text: string): boolean {
  if (text.length > LENGTH_MAX || !URL.canParse(text)) return false;
  const { protocol, username, password, port } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && port === '';
}
