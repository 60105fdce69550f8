type Asked = { readonly method: string; readonly mode: string; readonly url: string };

/** Documents with a policy or content of their own, which must come from the server: the API's pages and the page `/verify`. */
const OWN_DOCUMENTS = ['/api/', '/verify'];

/**
 * What the service worker does about a request: `asset` is a file whose name changes with its content and may be kept,
 * `page` is the app's document. Everything else, above all what the API answers, it never touches.
 */
export function requestKind({ method, mode, url }: Asked, origin: string): 'asset' | 'page' | 'other' {
  const { origin: asked, pathname } = new URL(url);
  if (method !== 'GET' || asked !== origin) return 'other';
  if (pathname.startsWith('/assets/')) return 'asset';
  if (mode !== 'navigate' || OWN_DOCUMENTS.some((start) => pathname.startsWith(start))) return 'other';
  // A file at the root, such as an icon, opened by itself.
  return /\.\w+$/.test(pathname) ? 'other' : 'page';
}
