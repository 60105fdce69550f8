import { existsSync } from 'node:fs';
import { replaceFile } from './storage/durable-file.ts';
import { DurableLog, readLines } from './storage/durable-log.ts';
import { KeyFile } from './keys/key-file.ts';
import type { Caller } from './socket/methods.ts';
import type { RoleFile } from './storage/role-file.ts';
import { SignerError } from './signer-error.ts';

export type StandbyDeps = {
  logPath: string;
  keyPath: string;
  role: RoleFile;
  now: () => number;
  /** Settled by an operator's command and by nothing else. */
  onPromoted: () => void;
};

/** One connection of the active signer: the whole log in parts, then line by line. */
type Session = { id: string; parts: string[]; log: DurableLog | null };

/**
 * The standby's side: keeps the log of the active signer, line by line, and answers once a line survives a power cut. It signs nothing. It
 * becomes the active one by an operator's `promote`, which raises the epoch; from then on the former one's records are refused, and
 * without them he answers nobody.
 */
export class Standby {
  readonly #deps: StandbyDeps;
  #session: Session | null = null;
  #heardAt: number | null = null;
  #lines = 0;
  /** One step after the other, also of connections that cross. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: StandbyDeps) {
    this.#deps = deps;
  }

  call(caller: Caller, method: string, params: Record<string, unknown>): Promise<unknown> {
    const step = this.#last.then(() => this.#call(caller, method, params));
    this.#last = step.catch(() => {});
    return step;
  }

  async #call(caller: Caller, method: string, params: Record<string, unknown>): Promise<unknown> {
    if (method === 'status') return { ...this.#deps.role.now, heardAt: this.#heardAt, lines: this.#lines };
    if (method === 'promote') return this.#promote(caller);
    if (method !== 'replicate') throw new SignerError('STANDBY', 'this signer is a standby and signs nothing');
    if (!caller.isSigner) throw new SignerError('UNAUTHORISED', 'only the active signer sends its log');
    await this.#replicate(params);
    this.#heardAt = this.#deps.now();
    return {};
  }

  async #replicate({ step, session, epoch, lines, keyIds }: Record<string, unknown>): Promise<void> {
    const { role } = this.#deps;
    if (role.now.role !== 'standby' || typeof epoch !== 'number' || epoch < role.now.epoch) {
      throw new SignerError('REPLACED', `epoch ${role.now.epoch} has begun; this log is of epoch ${String(epoch)}`);
    }
    if (step === 'begin') return this.#begin(String(session), epoch, keyIds as string[]);
    const known = this.#session;
    if (known === null || known.id !== session) throw new SignerError('INVALID_PARAMS', 'begin with the whole log');
    if (step === 'part') return void known.parts.push(String(lines));
    if (step === 'end') return this.#end(known);
    if (step !== 'append' || known.log === null) throw new SignerError('INVALID_PARAMS', 'no such step');
    const records = readLines(String(lines));
    await Promise.all(records.map((record) => known.log!.append(record)));
    this.#lines += records.length;
  }

  async #begin(id: string, epoch: number, keyIds: readonly string[]): Promise<void> {
    // The operator carries the keys from one to the other; without them nothing of what is kept here could be used.
    const own = existsSync(this.#deps.keyPath) ? KeyFile.open(this.#deps.keyPath, false).keyIds() : [];
    const missing = keyIds.filter((keyId) => !own.includes(keyId));
    if (missing.length > 0) throw new SignerError('INVALID_PARAMS', `the standby lacks the keys ${missing.join(', ')}`);
    await this.#session?.log?.close();
    this.#session = { id, parts: [], log: null };
    if (epoch > this.#deps.role.now.epoch) this.#deps.role.set({ epoch });
  }

  #end(session: Session): void {
    const whole = session.parts.splice(0).join('');
    this.#lines = readLines(whole).length;
    replaceFile(this.#deps.logPath, whole);
    session.log = DurableLog.open(this.#deps.logPath, () => {});
  }

  async #promote({ operator }: Caller): Promise<object> {
    const { role, logPath, onPromoted } = this.#deps;
    if (operator === null) throw new SignerError('UNAUTHORISED', 'this needs the operator token');
    if (!existsSync(logPath)) throw new SignerError('INVALID_PARAMS', 'this standby never had a whole log');
    await this.#session?.log?.close();
    this.#session = null;
    role.set({ role: 'active', epoch: role.now.epoch + 1 });
    onPromoted();
    return role.now;
  }
}
