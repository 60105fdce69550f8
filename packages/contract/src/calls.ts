import { accountCalls } from './calls/accounts.ts';
import { alertCalls } from './calls/alerts.ts';
import { apiKeyCalls } from './calls/api-keys.ts';
import { discoverCalls } from './calls/discover.ts';
import { factorCalls } from './calls/factors.ts';
import { explorerCalls } from './calls/explorer.ts';
import { followCalls } from './calls/follows.ts';
import { marketCalls } from './calls/market.ts';
import { portfolioCalls } from './calls/portfolio.ts';
import { reserveCalls } from './calls/reserves.ts';
import { savedItemCalls } from './calls/saved-items.ts';
import { simulatorCalls } from './calls/simulator.ts';
import { strategyCalls } from './calls/strategies.ts';
import { systemCalls } from './calls/system.ts';
import { tradingCalls } from './calls/trading.ts';
import { triggerCalls } from './calls/triggers.ts';
import { treasuryCalls } from './calls/treasury.ts';
import { walletFollowCalls } from './calls/wallet-follows.ts';
import { walletCalls } from './calls/wallets.ts';
import type { Call, ParsedRequestOf, ReplyOf, RequestOf } from './call.ts';

/** Every call of the product by name. The server registers all of them; a call without a handler does not start. */
export const calls = {
  ...systemCalls,
  ...accountCalls,
  ...factorCalls,
  ...apiKeyCalls,
  ...savedItemCalls,
  ...treasuryCalls,
  ...reserveCalls,
  ...marketCalls,
  ...discoverCalls,
  ...walletCalls,
  ...walletFollowCalls,
  ...explorerCalls,
  ...tradingCalls,
  ...triggerCalls,
  ...strategyCalls,
  ...followCalls,
  ...simulatorCalls,
  ...alertCalls,
  ...portfolioCalls,
} satisfies Record<string, Call>;

export type Calls = typeof calls;
export type CallName = keyof Calls;
export type CallRequest<Name extends CallName> = RequestOf<Calls[Name]>;
export type CallParsedRequest<Name extends CallName> = ParsedRequestOf<Calls[Name]>;
export type CallReply<Name extends CallName> = ReplyOf<Calls[Name]>;
