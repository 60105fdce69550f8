import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from './durable-file.ts';

/**
 * Which of two signers this one is, kept in its own folder and changed by nobody but an operator's promotion, or by the other signer
 * that was promoted. The epoch rises with every promotion: whoever has an older one is refused.
 * - `active`: signs; with a standby once it had one.
 * - `standby`: keeps the active one's log and signs nothing.
 * - `replaced`: was active, its standby has been promoted; signs nothing ever again.
 */
export type SignerRole = {
  readonly role: 'active' | 'standby' | 'replaced';
  readonly epoch: number;
  readonly hasStandby: boolean;
};

export class RoleFile {
  readonly #path: string;
  #now: SignerRole;

  constructor(path: string, first: 'active' | 'standby') {
    this.#path = path;
    this.#now = existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as SignerRole)
      : { role: first, epoch: first === 'active' ? 1 : 0, hasStandby: false };
  }

  get now(): SignerRole {
    return this.#now;
  }

  set(change: Partial<SignerRole>): void {
    const next = { ...this.#now, ...change };
    replaceFile(this.#path, JSON.stringify(next));
    this.#now = next;
  }
}
