const USED_WITHIN_MS = 60 * 60_000;
/** A request may still carry the sealed key that it read before its wallet was moved. */
const UNDER_WAY_MS = 60_000;

/**
 * Who signs under a key that is no longer current and was not moved since: such a key is not retired. The database knows all sealed keys
 * and the signer only those it is shown, so this sees wallets in use and no others; those are why a retired key is kept.
 */
export class OldKeyUse {
  readonly #signed = new Map<string, { keyId: string; at: number }>();
  readonly #movedAt = new Map<string, number>();

  signed(walletId: string, keyId: string, now: number): void {
    const movedAt = this.#movedAt.get(walletId);
    if (movedAt === undefined || movedAt < now - UNDER_WAY_MS) this.#signed.set(walletId, { keyId, at: now });
  }

  moved(walletId: string, now: number): void {
    this.#signed.delete(walletId);
    this.#movedAt.set(walletId, now);
  }

  has(keyId: string, now: number): boolean {
    for (const [walletId, at] of this.#movedAt) if (at < now - UNDER_WAY_MS) this.#movedAt.delete(walletId);
    return this.#signed.values().some((use) => use.keyId === keyId && use.at > now - USED_WITHIN_MS);
  }
}
