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

/** Signatures of the trades of a position since it opened, newest first, as they came; of own trades in the token. */
export function tradesOfPosition(
  trades: readonly { time: number; txHash: string; bookId?: string | undefined }[],
  { bookId, openTime }: { bookId: string; openTime: number },
): string[] {
  const own = trades.filter((trade) => trade.bookId === bookId && trade.time >= openTime);
  return [...new Set(own.map(({ txHash }) => txHash))];
}
