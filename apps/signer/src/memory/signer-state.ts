import { deny } from '../denial.ts';
import { DurableLog } from '../storage/durable-log.ts';
import { type FactorRecord, FactorRegister } from '../factors/factor-register.ts';
import { type OwnerRecord, OwnerRegister } from './owner-register.ts';
import { type ChosenLimits, limitsAt, NO_OWN_LIMITS, type OwnLimits } from '../limits/own-limits.ts';
import type { SealedKey } from '../keys/sealed-key.ts';
import { STOP_KINDS, type StopKind } from '../limits/stop-switch.ts';
import type { StandbyLink } from '../storage/standby-link.ts';
import { isInSwapWindow, type SwapTurnover } from '../limits/swap-velocity.ts';
import { type FundsRecord, StrategyFunds } from './strategy-funds.ts';
import { type WalletEntry, type WalletRecord, walletRecord, WalletRegister } from '../keys/wallet-register.ts';
import { DAY_MS, type WithdrawalRecord } from '../limits/withdrawal-rules.ts';

// What the signer itself remembers, replayed from its log at the start: the kill switch, the revision of every
// sealed key whose password ever changed, withdrawals, the register of wallets and the money of strategy wallets.

type LogRecord =
  /** Without a kind, as before there were any: all of them. */
  | { t: 'kill'; on: boolean; kind?: StopKind; why?: string; at?: number }
  | { t: 'rev'; w: string; rev: number; env: string }
  | { t: 'dst'; w: string; to: string; at: number }
  | { t: 'exp'; w: string; at: number }
  | { t: 'swp'; w: string; hour: number; lamports: string }
  | WalletRecord
  | FundsRecord
  | FactorRecord
  | OwnerRecord
  | { t: 'lim'; w: string; now: LoggedLimits; next: (LoggedLimits & { from: number }) | null }
  | (Omit<WithdrawalRecord, 'lamports' | 'token' | 'factorAt'> & {
      t: 'wd';
      factorAt?: number | null;
      lamports: string;
      token?: { mint: string; amount: string } | null;
    });

/** Since when a kind is stopped, and why. */
export type Stop = { why: string; at: number };

type LoggedLimits = { daily: string; delaysNew: boolean };

/** As version 0.1 wrote it: one time for all messages, and the digest of the last one only. */
type OldWithdrawal = { countedAt: number | null; signatures: number; lastDigest: string | null };

const KEPT_MS = 30 * 24 * 60 * 60_000;
const COMPACT_AFTER_LINES = 10_000;

export class SignerState {
  readonly register: WalletRegister;
  readonly funds: StrategyFunds;
  readonly factors: FactorRegister;
  readonly owners: OwnerRegister;
  readonly #log: DurableLog;
  readonly #now: () => number;
  readonly #revisions: Map<string, { rev: number; env: string }>;
  readonly #withdrawals: Map<string, Map<string, WithdrawalRecord>>;
  readonly #destinations: Map<string, Map<string, number>>;
  readonly #swaps: Map<string, Map<number, bigint>>;
  readonly #exports: Map<string, number>;
  readonly #limits: Map<string, ChosenLimits>;
  readonly #stopped: Map<StopKind, Stop>;
  #link: StandbyLink | null = null;
  #compacting = false;
  #linesAfterCompaction = 0;

  constructor(path: string, now: () => number, commitFinalMs: number) {
    this.register = new WalletRegister();
    this.funds = new StrategyFunds(commitFinalMs);
    this.factors = new FactorRegister();
    this.owners = new OwnerRegister();
    this.#now = now;
    this.#revisions = new Map();
    this.#withdrawals = new Map();
    this.#destinations = new Map();
    this.#swaps = new Map();
    this.#exports = new Map();
    this.#limits = new Map();
    this.#stopped = new Map();
    this.#log = DurableLog.open(path, (record) => this.#apply(record as LogRecord));
  }

  get stopped(): ReadonlyMap<StopKind, Stop> {
    return this.#stopped;
  }

  /** Whether this wallet is among those whose password was reset when too many were, or since. */
  isStoppedByReset(passwordResetAt: number | null): boolean {
    const stop = this.#stopped.get('reset');
    return stop !== undefined && passwordResetAt !== null && passwordResetAt > stop.at - DAY_MS;
  }

  /** Switching on takes effect before it is durable: stopping can never be too early. */
  async setKillSwitch(on: boolean, kind: StopKind | null, why = ''): Promise<void> {
    const record: LogRecord = { t: 'kill', on, ...(kind === null ? {} : { kind }), why, at: this.#now() };
    if (on) this.#apply(record);
    await this.#log.append(record);
    this.#apply(record);
    this.#compactWhenLong();
  }

  refuseOutdated(walletId: string, sealedKey: SealedKey): void {
    const latest = this.#revisions.get(walletId)?.rev ?? 1;
    if (sealedKey.rev !== latest) deny('ENVELOPE_OUTDATED', 'a newer sealed key of this wallet exists');
  }

  /**
   * Makes the next revision the only valid one. The signer keeps a copy of the new sealed key, so that a server that dies
   * before storing it can still fetch it.
   */
  async advanceRevision(walletId: string, from: SealedKey, sealedKey: string): Promise<void> {
    this.refuseOutdated(walletId, from);
    const record: LogRecord = { t: 'rev', w: walletId, rev: from.rev + 1, env: sealedKey };
    await this.#record([record]);
  }

  latestSealedKey(walletId: string): string | null {
    return this.#revisions.get(walletId)?.env ?? null;
  }

  /** Follows a rotation, so that the copy kept here does not hold the old key back. */
  async replaceCopy(walletId: string, sealedKey: string): Promise<void> {
    const known = this.#revisions.get(walletId);
    if (known === undefined) return;
    const record: LogRecord = { t: 'rev', w: walletId, rev: known.rev, env: sealedKey };
    await this.#record([record]);
  }

  copies(): Iterable<string> {
    return this.#revisions.values().map((known) => known.env);
  }

  withdrawal(walletId: string, withdrawalId: string): WithdrawalRecord | null {
    return this.#withdrawals.get(walletId)?.get(withdrawalId) ?? null;
  }

  /** Of all wallets. */
  *allWithdrawals(): Iterable<WithdrawalRecord> {
    for (const rows of this.#withdrawals.values()) yield* rows.values();
  }

  withdrawals(walletId: string): WithdrawalRecord[] {
    return [...(this.#withdrawals.get(walletId)?.values() ?? [])];
  }

  destinations(walletId: string): ReadonlyMap<string, number> {
    return this.#destinations.get(walletId) ?? new Map();
  }

  /** Takes effect at once for every other decision, and resolves when it is durable. */
  async recordWithdrawal(record: WithdrawalRecord): Promise<void> {
    const lines: LogRecord[] = [withdrawalLine(record)];
    const [first] = record.signed;
    if (first !== undefined && !this.destinations(record.walletId).has(record.destination)) {
      lines.push({ t: 'dst', w: record.walletId, to: record.destination, at: first.at });
    }
    await this.#record(lines);
  }

  /** What the owner chose for the withdrawals of a wallet. */
  ownLimits(walletId: string): ChosenLimits {
    return limitsAt(this.#limits.get(walletId) ?? NO_OWN_LIMITS, this.#now());
  }

  /** Takes effect at once for every other decision, and resolves when it is durable. */
  async recordOwnLimits(walletId: string, chosen: ChosenLimits): Promise<void> {
    await this.#record([limitsLine(walletId, chosen)]);
  }

  /** When each wallet's key was last shown. */
  get exports(): ReadonlyMap<string, number> {
    return this.#exports;
  }

  /** Takes effect at once for every other decision, and resolves when it is durable. */
  async recordExport(walletId: string, at: number): Promise<void> {
    await this.#record([{ t: 'exp', w: walletId, at }]);
  }

  /** Takes effect at once for every other decision, and resolves when it is durable. */
  async recordOwner(record: OwnerRecord): Promise<void> {
    await this.#record([record]);
  }

  async registerWallet(entry: WalletEntry): Promise<void> {
    await this.recordFunds(walletRecord(entry));
  }

  /** Takes effect at once for every other decision, and resolves when it is durable. */
  async recordFunds(record: FundsRecord | WalletRecord): Promise<void> {
    await this.#record([record]);
  }

  /** Takes effect at once for every other decision, and resolves when it is durable. */
  async recordFactors(records: readonly FactorRecord[]): Promise<void> {
    await this.#record(records);
  }

  *swapTurnovers(): Iterable<SwapTurnover> {
    for (const [owner, hours] of this.#swaps) {
      for (const [hour, lamports] of hours) if (isInSwapWindow(hour, this.#now())) yield { owner, hour, lamports };
    }
  }

  async recordSwaps(turnovers: readonly SwapTurnover[]): Promise<void> {
    await this.#record(turnovers.map((turnover) => swapLine(turnover)));
  }

  async compact(): Promise<void> {
    this.#compacting = true;
    try {
      await this.#log.compact(() => this.#liveRecords());
      this.#linesAfterCompaction = this.#log.lines;
      this.#link?.beginAnew();
    } finally {
      this.#compacting = false;
    }
  }

  /** Every record goes to the standby as well. */
  replicate(link: StandbyLink): void {
    this.#link = link;
    link.follow(this.#log);
  }

  onBroken(listener: (error: unknown) => void): void {
    this.#log.onBroken(listener);
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  /** Whatever is written may have been asked for by anybody, and again and again. */
  async #record(lines: readonly LogRecord[]): Promise<void> {
    for (const line of lines) this.#apply(line);
    await Promise.all(lines.map((line) => this.#log.append(line)));
    this.#compactWhenLong();
  }

  #compactWhenLong(): void {
    if (this.#compacting || this.#log.lines < this.#linesAfterCompaction * 2 + COMPACT_AFTER_LINES) return;
    // One that fails leaves the longer log in place, which is merely longer, or breaks the log, which ends the signer.
    this.compact().catch(() => {});
  }

  #apply(record: LogRecord): void {
    switch (record.t) {
      case 'kill':
        for (const kind of record.kind === undefined ? STOP_KINDS : [record.kind]) {
          if (!record.on) this.#stopped.delete(kind);
          else if (!this.#stopped.has(kind)) this.#stopped.set(kind, { why: record.why ?? '', at: record.at ?? 0 });
        }
        break;
      case 'rev':
        this.#revisions.set(record.w, { rev: record.rev, env: record.env });
        break;
      case 'dst':
        inner(this.#destinations, record.w).set(record.to, record.at);
        break;
      case 'wd': {
        const { walletId, withdrawalId, destination, authenticatedAt, heldUntil } = record;
        const factorAt = record.factorAt ?? null;
        const signed = record.signed ?? signedBefore(record as unknown as OldWithdrawal);
        const lamports = BigInt(record.lamports);
        const token = record.token ? { mint: record.token.mint, amount: BigInt(record.token.amount) } : null;
        const row = {
          walletId,
          withdrawalId,
          destination,
          lamports,
          token,
          authenticatedAt,
          factorAt,
          heldUntil,
          signed,
        };
        inner(this.#withdrawals, walletId).set(withdrawalId, row);
        break;
      }
      case 'lim': {
        const next = record.next && { ...readLimits(record.next), from: record.next.from };
        this.#limits.set(record.w, { now: readLimits(record.now), next });
        break;
      }
      case 'exp':
        this.#exports.set(record.w, record.at);
        break;
      case 'swp':
        inner(this.#swaps, record.w).set(record.hour, BigInt(record.lamports));
        break;
      case 'wal':
        this.register.apply(record);
        break;
      case 'fac':
      case 'chl':
        this.factors.apply(record);
        break;
      case 'frz':
      case 'xpd':
      case 'rst':
        this.owners.apply(record);
        break;
      case 'cmt':
      case 'fin':
      case 'ret':
      case 'hld':
      case 'buy':
      case 'pair':
      case 'str':
        this.funds.apply(record);
    }
  }

  *#liveRecords(): Iterable<LogRecord> {
    for (const [kind, { why, at }] of this.#stopped) yield { t: 'kill', on: true, kind, why, at };
    for (const [w, { rev, env }] of this.#revisions) yield { t: 'rev', w, rev, env };
    for (const [w, rows] of this.#destinations) for (const [to, at] of rows) yield { t: 'dst', w, to, at };
    for (const [w, chosen] of this.#limits) yield limitsLine(w, chosen);
    for (const turnover of this.swapTurnovers()) yield swapLine(turnover);
    yield* this.register.records();
    yield* this.funds.records(this.#now());
    yield* this.factors.records();
    const since = this.#now() - KEPT_MS;
    yield* this.owners.records(since);
    for (const [w, at] of this.#exports) if (at >= since) yield { t: 'exp', w, at };
    for (const [walletId, rows] of this.#withdrawals) {
      for (const [id, row] of rows) {
        if (Math.max(row.authenticatedAt, row.signed.at(-1)?.at ?? 0) < since) rows.delete(id);
        else yield withdrawalLine(row);
      }
      if (rows.size === 0) this.#withdrawals.delete(walletId);
    }
  }
}

function withdrawalLine(row: WithdrawalRecord): LogRecord {
  const token = row.token && { mint: row.token.mint, amount: String(row.token.amount) };
  return { t: 'wd', ...row, lamports: String(row.lamports), token };
}

function limitsLine(w: string, { now, next }: ChosenLimits): LogRecord {
  const line = ({ dailyLamports, delaysNew }: OwnLimits): LoggedLimits => ({ daily: String(dailyLamports), delaysNew });
  return { t: 'lim', w, now: line(now), next: next && { ...line(next), from: next.from } };
}

function readLimits({ daily, delaysNew }: LoggedLimits): OwnLimits {
  return { dailyLamports: BigInt(daily), delaysNew };
}

function swapLine({ owner, hour, lamports }: SwapTurnover): LogRecord {
  return { t: 'swp', w: owner, hour, lamports: String(lamports) };
}

function signedBefore({ countedAt, signatures, lastDigest }: OldWithdrawal): WithdrawalRecord['signed'] {
  if (countedAt === null) return [];
  return Array.from({ length: signatures }, (_, index) => ({
    digest: index === signatures - 1 ? (lastDigest ?? '') : '',
    at: countedAt,
  }));
}

function inner<Key, Value>(outer: Map<string, Map<Key, Value>>, key: string): Map<Key, Value> {
  let rows = outer.get(key);
  if (rows === undefined) {
    rows = new Map();
    outer.set(key, rows);
  }
  return rows;
}
