// The trades of a position as a link. It carries nothing but the token and the signatures of the trades, all public on the
// chain; whoever opens it recomputes the figures from there (`src/pages/proof/`).

/** More would make a link that chats cut off. */
export const SIGNATURES_MAX = 20;

/** Letters and digits that are not taken for one another. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Null for none, and for too many. */
export function proofLink(origin: string, mint: string, signatures: readonly string[]): string | null {
  if (signatures.length === 0 || signatures.length > SIGNATURES_MAX) return null;
  // Behind the #, so that it is in no log of a server.
  return `${origin}/proof#${mint}.${signatures.join('.')}`;
}

export function readProofLink(hash: string): { mint: string; signatures: string[] } | null {
  const [mint = '', ...signatures] = hash.replace(/^#/, '').split('.');
  const isKey = (text: string, least: number, most: number) =>
    text.length >= least && text.length <= most && /^[1-9A-HJ-NP-Za-km-z]+$/.test(text);
  const isRight =
    isKey(mint, 32, 44) &&
    signatures.length > 0 &&
    signatures.length <= SIGNATURES_MAX &&
    signatures.every((signature) => isKey(signature, 64, 90));
  return isRight ? { mint, signatures: [...new Set(signatures)] } : null;
}

/** Eight letters of a hash of the link's content; null where the browser has no hash (plain http). */
export async function proofCode(mint: string, signatures: readonly string[]): Promise<string | null> {
  const { subtle } = globalThis.crypto;
  if (!(subtle as SubtleCrypto | undefined)) return null;
  const text = [mint, ...signatures.toSorted()].join('.');
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const letters = Array.from(bytes.subarray(0, 8), (byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** A position opens when its first trade is posted, which is later than the time of its block: so long after at most. */
const POSTED_WITHIN_MS = 60_000;

/** Signatures of the trades since a position opened, newest first, as they came. It began with a buy, so older sells are none of it. */
export function tradesOfPosition(
  trades: readonly { time: number; side: 'buy' | 'sell'; txHash: string }[],
  openTime: number,
): string[] {
  const since = trades.filter(({ time }) => time >= openTime - POSTED_WITHIN_MS);
  const first = since.findLastIndex(({ side }) => side === 'buy');
  return [...new Set(since.slice(0, first + 1).map(({ txHash }) => txHash))];
}
