// The token of a link from a mail stands behind the #: browsers send it to nobody.
const TOKEN = /^#([A-Za-z0-9_-]{43})$/;

export function mailToken(hash: string): string | null {
  return TOKEN.exec(hash)?.[1] ?? null;
}
