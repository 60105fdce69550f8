/** `personal`: one per user, its key shown to him. `strategy`: holds the SOL of many; nobody ever sees its key. */
export type WalletKind = 'personal' | 'strategy';
export type WalletEntry = { userId: string; walletId: string; address: string; kind: WalletKind };
export type WalletRecord = { t: 'wal'; a: string; k: WalletKind; u: string; w: string };

/**
 * Every wallet the signer has made or opened, by address. What a wallet may do follows from its kind here, never from
 * what the caller says it is. A kind never changes.
 */
export class WalletRegister {
  readonly #entries = new Map<string, WalletEntry>();
  readonly #ids = new Set<string>();

  /** Whether a wallet has this id. What is remembered by id (freezes, limits, destinations) is one wallet's alone. */
  hasId(walletId: string): boolean {
    return this.#ids.has(walletId);
  }

  get(address: string): WalletEntry | null {
    return this.#entries.get(address) ?? null;
  }

  kindOf(address: string): WalletKind | null {
    return this.#entries.get(address)?.kind ?? null;
  }

  count(kind: WalletKind): number {
    let count = 0;
    for (const entry of this.#entries.values()) if (entry.kind === kind) count += 1;
    return count;
  }

  apply({ a: address, k: kind, u: userId, w: walletId }: WalletRecord): void {
    if (!this.#entries.has(address)) this.#entries.set(address, { address, kind, userId, walletId });
    this.#ids.add(walletId);
  }

  *records(): Iterable<WalletRecord> {
    for (const entry of this.#entries.values()) yield walletRecord(entry);
  }
}

export function walletRecord({ address, kind, userId, walletId }: WalletEntry): WalletRecord {
  return { t: 'wal', a: address, k: kind, u: userId, w: walletId };
}
