import { AppError } from '@hunter/contract/app-error';
import type { CallName, CallParsedRequest } from '@hunter/contract/calls';
import { API_KEY_RATE_MAX, API_KEY_SLIPPAGE_BPS_MAX } from '@hunter/contract/calls/api-keys';
import { keyScopes, type TradeCallName } from '@hunter/contract/key-scopes';
import { printSol, readSol } from '@hunter/domain/lamports';
import { isListed } from '../accounts/address-list.ts';
import { type ApiKey, findApiKey, recordUse, reserveSpend, returnSpend } from '../accounts/api-key-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import { RateLimit } from '../platform/rate-limit.ts';

// What a thief with a key can do is bounded here: which calls, how often, from where, how much SOL a day, and at what slippage.

const BURST_SECONDS = 2;

/** How much SOL each call may take out of the personal wallet's free SOL. Complete by its type, like the scopes. */
const spendOf: { [Name in TradeCallName]: (request: CallParsedRequest<Name>) => bigint } = {
  watchToken: () => 0n,
  trackWallet: () => 0n,
  untrackWallet: () => 0n,
  tokenTransfer: ({ side, amount }) => (side === 'buy' ? solOf(amount) : 0n),
  tokenClose: () => 0n,
  placeTrigger: ({ triggers }) =>
    triggers.reduce(
      (sum, { side, amount, schedule }) =>
        side === 'buy' && amount ? sum + solOf(amount.value) * BigInt(schedule?.count ?? 1) : sum,
      0n,
    ),
  pauseTrigger: () => 0n,
  resumeTrigger: () => 0n,
  cancelTrigger: () => 0n,
  cancelAllTriggers: () => 0n,
  followStrategy: ({ amount }) => amount,
  changeFollowFunds: ({ action, amount }) => (action === 'add' ? amount : 0n),
  cancelFollow: () => 0n,
  // Without an amount it is the own strategy that follows, with all the money that others put into it.
  followWallet: ({ amount }) => amount ?? sessionOnly(),
  endWalletFollow: () => 0n,
  startPaperFollow: () => 0n,
  endPaperFollow: () => 0n,
  startPaperWalletFollow: () => 0n,
  endPaperWalletFollow: () => 0n,
  createPriceAlert: () => 0n,
  deletePriceAlert: () => 0n,
};

function sessionOnly(): never {
  throw new AppError('API_KEY_SCOPE');
}

/** What is no amount of SOL is refused by the call itself. */
function solOf(text: string): bigint {
  const reading = readSol(text);
  return reading.ok ? reading.amount : 0n;
}

function slippagesOf(request: unknown): number[] {
  const { slippageBps, triggers } = request as {
    slippageBps?: number;
    triggers?: { slippageBps?: number | undefined }[];
  };
  return [slippageBps, ...(triggers ?? []).map((each) => each.slippageBps)].filter((bps) => bps !== undefined);
}

export class ApiKeyDoor {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #limit: RateLimit;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#limit = new RateLimit(clock, API_KEY_RATE_MAX, API_KEY_RATE_MAX * BURST_SECONDS);
  }

  /** Throws UNAUTHENTICATED, FORBIDDEN from an address that is not listed, RATE_LIMITED or API_KEY_SCOPE. */
  async admit(name: CallName, secret: string, address: string): Promise<ApiKey> {
    const now = new Date(this.#clock.nowMs());
    const key = await findApiKey(this.#database, now, secret);
    if (!key) throw new AppError('UNAUTHENTICATED');
    if (key.addresses.length > 0 && !isListed(key.addresses, address)) throw new AppError('FORBIDDEN');
    const retryAfterSeconds = this.#limit.take(key.id, API_KEY_RATE_MAX / key.requestsPerSecond);
    if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    const needs = keyScopes[name];
    if (needs === 'session' || (needs === 'trade' && key.scope !== 'trade')) {
      throw new AppError('API_KEY_SCOPE');
    }
    await recordUse(this.#database, now, key.id, address);
    return key;
  }

  /** Runs a call of a key. What it may spend is reserved before, and returned only where the call was refused. */
  async run(name: CallName, key: ApiKey, request: unknown, work: () => Promise<unknown>): Promise<unknown> {
    if (keyScopes[name] !== 'trade') return work();
    if (slippagesOf(request).some((bps) => bps > API_KEY_SLIPPAGE_BPS_MAX)) {
      throw new AppError('API_KEY_SLIPPAGE', { percent: API_KEY_SLIPPAGE_BPS_MAX / 100 });
    }
    const spend = (spendOf[name as TradeCallName] as (request: unknown) => bigint)(request);
    if (spend === 0n) return work();
    const now = new Date(this.#clock.nowMs());
    if (!(await reserveSpend(this.#database, now, key.id, spend))) {
      throw new AppError('API_KEY_SPEND_LIMIT', { limit: printSol(key.dailyLamports ?? 0n) });
    }
    try {
      return await work();
    } catch (error) {
      // Only a refusal is known to have moved nothing.
      if (error instanceof AppError && error.errorName !== 'INTERNAL') {
        await returnSpend(this.#database, now, key.id, spend);
      }
      throw error;
    }
  }
}
