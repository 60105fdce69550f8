import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { readIfThere, writeDurably } from '../venue/durable-file.ts';

type RememberedAccount = { email: string; password: string; isRegistered: boolean };

/**
 * The accounts of the simulated people with their passwords, so that a restart finds the same people. Their wallets hold
 * nothing but SOL of a local chain; the file is still for its owner only.
 */
export class RememberedAccounts {
  readonly #file: string;
  readonly #accounts: Map<string, RememberedAccount>;

  constructor(file: string) {
    this.#file = file;
    const text = readIfThere(file);
    const accounts = text === null ? [] : (JSON.parse(text) as RememberedAccount[]);
    this.#accounts = new Map(accounts.map((account) => [account.email, account]));
  }

  /** A new account is on disk before anybody registers it: whoever loses the answer can still log in. */
  get(email: string): RememberedAccount {
    const known = this.#accounts.get(email);
    if (known !== undefined) return known;
    const account = { email, password: randomBytes(18).toString('base64url'), isRegistered: false };
    this.#accounts.set(email, account);
    this.#save();
    return account;
  }

  registered(account: RememberedAccount): void {
    if (account.isRegistered) return;
    account.isRegistered = true;
    this.#save();
  }

  #save(): void {
    writeDurably(this.#file, JSON.stringify([...this.#accounts.values()], null, 1));
    chmodSync(this.#file, 0o600);
  }
}
