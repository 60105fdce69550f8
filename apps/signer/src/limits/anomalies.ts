import type { DenialCode } from '../denial.ts';
import type { StopKind } from './stop-switch.ts';

/** What no honest server asks for, whatever its users do: it builds these transactions itself. */
const FORGED: ReadonlySet<DenialCode> = new Set([
  'TRANSACTION_MALFORMED',
  'LOOKUP_TABLE',
  'FEE_PAYER',
  'PROGRAM',
  'INSTRUCTION',
  'MINT',
  'DESTINATION',
  'AMOUNT',
  'NOTHING_IN_RETURN',
  'COUNTERPARTY',
  'WALLET_KIND',
  'WITHDRAWAL_MISMATCH',
  'ENVELOPE_INVALID',
]);

const HOUR_MS = 60 * 60_000;
/** One wallet counts no more often, so that an odd token that its owner tries again and again stops nobody else. */
const PER_WALLET_MAX = 5;

export type AnomalyLimits = { forgedPerHour: number };

/**
 * Counts refused forgeries per kind and hour. Each of them was refused; so many of them say that somebody who is not the server
 * asks, and what he asks next may not be refused.
 */
export class Anomalies {
  readonly #limits: AnomalyLimits;
  readonly #hours = new Map<StopKind, { hour: number; wallets: Map<string, number>; count: number }>();

  constructor(limits: AnomalyLimits) {
    this.#limits = limits;
  }

  /** Whether this refusal is the one after which the kind has to be stopped. */
  refused(kind: StopKind, walletId: string, code: DenialCode, now: number): boolean {
    if (!FORGED.has(code)) return false;
    const hour = Math.floor(now / HOUR_MS);
    let counted = this.#hours.get(kind);
    if (counted?.hour !== hour) {
      counted = { hour, wallets: new Map(), count: 0 };
      this.#hours.set(kind, counted);
    }
    const before = counted.wallets.get(walletId) ?? 0;
    if (before >= PER_WALLET_MAX) return false;
    counted.wallets.set(walletId, before + 1);
    counted.count += 1;
    if (counted.count < this.#limits.forgedPerHour) return false;
    this.#hours.delete(kind);
    return true;
  }
}
