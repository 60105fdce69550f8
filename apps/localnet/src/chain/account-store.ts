// Every account as it stands now, and as it stood at any slot that is not final yet: a reader who asks for the
// confirmed or finalized state gets that state, not a newer one. Accounts are also found by the program that owns
// them and, for token accounts, by holder and by mint.

import type { Account } from './chain.ts';
import { isTokenAccount, tokenMint, tokenOwner } from './token-state.ts';

type Undo = { slot: number; before: Account | null };

function addTo(index: Map<string, Set<string>>, key: string, address: string): void {
  const set = index.get(key);
  if (set === undefined) index.set(key, new Set([address]));
  else set.add(address);
}

function removeFrom(index: Map<string, Set<string>>, key: string, address: string): void {
  const set = index.get(key);
  set?.delete(address);
  if (set?.size === 0) index.delete(key);
}

export class AccountStore {
  readonly #now = new Map<string, Account>();
  readonly #undo = new Map<string, Undo[]>();
  readonly #touched = new Map<number, Set<string>>();
  readonly #byProgram = new Map<string, Set<string>>();
  readonly #tokensByOwner = new Map<string, Set<string>>();
  readonly #tokensByMint = new Map<string, Set<string>>();

  get size(): number {
    return this.#now.size;
  }

  get(address: string): Account | null {
    return this.#now.get(address) ?? null;
  }

  /** The account as the end of `slot` left it; slots at or before the final one answer with the final state. */
  at(address: string, slot: number): Account | null {
    const undo = this.#undo.get(address);
    if (undo !== undefined) {
      for (const entry of undo) if (entry.slot > slot) return entry.before;
    }
    return this.#now.get(address) ?? null;
  }

  /** Puts state in place that was always there: genesis and recovery. */
  load(address: string, account: Account): void {
    this.#replace(address, account);
  }

  write(address: string, account: Account | null, slot: number): void {
    let undo = this.#undo.get(address);
    if (undo === undefined) this.#undo.set(address, (undo = []));
    if (undo.at(-1)?.slot !== slot) {
      undo.push({ slot, before: this.get(address) });
      const touched = this.#touched.get(slot);
      if (touched === undefined) this.#touched.set(slot, new Set([address]));
      else touched.add(address);
    }
    this.#replace(address, account);
  }

  /** Forgets how accounts stood before `slot`, which is now final. */
  finalize(slot: number): void {
    for (const [touchedSlot, addresses] of this.#touched) {
      if (touchedSlot > slot) continue;
      this.#touched.delete(touchedSlot);
      for (const address of addresses) {
        const rest = (this.#undo.get(address) ?? []).filter((entry) => entry.slot > slot);
        if (rest.length === 0) this.#undo.delete(address);
        else this.#undo.set(address, rest);
      }
    }
  }

  ownedBy(program: string, slot: number): [string, Account][] {
    return this.#select(this.#byProgram.get(program), slot, (account) => account.owner === program);
  }

  tokensOfOwner(owner: string, slot: number): [string, Account][] {
    return this.#select(
      this.#tokensByOwner.get(owner),
      slot,
      (account) => isTokenAccount(account) && tokenOwner(account.data) === owner,
    );
  }

  tokensOfMint(mint: string, slot: number): [string, Account][] {
    return this.#select(
      this.#tokensByMint.get(mint),
      slot,
      (account) => isTokenAccount(account) && tokenMint(account.data) === mint,
    );
  }

  *all(): Iterable<[string, Account]> {
    yield* this.#now;
  }

  // The indexes follow the present state. Whatever changed since `slot` is looked at as well, so that an account
  // which left the index a moment ago is still found where it stood.
  #select(
    found: ReadonlySet<string> | undefined,
    slot: number,
    fits: (account: Account) => boolean,
  ): [string, Account][] {
    const selected: [string, Account][] = [];
    const consider = (address: string): void => {
      const account = this.at(address, slot);
      if (account !== null && fits(account)) selected.push([address, account]);
    };
    for (const address of found ?? []) consider(address);
    for (const address of this.#undo.keys()) if (found?.has(address) !== true) consider(address);
    return selected;
  }

  #replace(address: string, account: Account | null): void {
    const before = this.#now.get(address);
    const wasToken = before !== undefined && isTokenAccount(before);
    const isToken = account !== null && isTokenAccount(account);
    if (before?.owner !== account?.owner) {
      if (before !== undefined) removeFrom(this.#byProgram, before.owner, address);
      if (account !== null) addTo(this.#byProgram, account.owner, address);
    }
    // Owner and mint fill the first 64 bytes; nearly every write leaves them as they were.
    const sameHead =
      wasToken && isToken && Buffer.compare(before.data.subarray(0, 64), account.data.subarray(0, 64)) === 0;
    if (!sameHead) {
      if (wasToken) {
        removeFrom(this.#tokensByOwner, tokenOwner(before.data), address);
        removeFrom(this.#tokensByMint, tokenMint(before.data), address);
      }
      if (isToken) {
        addTo(this.#tokensByOwner, tokenOwner(account.data), address);
        addTo(this.#tokensByMint, tokenMint(account.data), address);
      }
    }
    if (account === null) this.#now.delete(address);
    else this.#now.set(address, account);
  }
}
