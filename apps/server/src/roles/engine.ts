import { randomUUID } from 'node:crypto';
import { ACCOUNT_FROZEN_TOPIC, freezeAtSigner } from '../accounts/freeze.ts';
import { settlePasswordChanges } from '../accounts/begun-changes.ts';
import { countLeases } from '../platform/leases.ts';
import { Loop } from '../platform/loop.ts';
import { BookChanges } from '../strategies/copying/book-changes.ts';
import { onTransferSettled } from '../strategies/on-transfer-settled.ts';
import type { SharesLanes } from '../strategies/strategy-lanes.ts';
import {
  FILLS_TOPIC,
  RENT_RETURNED_TOPIC,
  UNDONE_TOPIC,
  type FillsRecorded,
  type FillsUndone,
  type RentReturned,
} from '../trading/order-events.ts';
import {
  COMMITS_FINAL_TOPIC,
  TRANSFER_SETTLED_TOPIC,
  type CommitsFinal,
  type TransferSettled,
} from '../treasury/transfers/transfer.ts';
import { pausePurchases } from '../triggers/pause-purchases.ts';
import { WalletFollowLoop } from '../wallet-follows/copy-trades.ts';
import { pauseWalletFollows } from '../wallet-follows/manage-wallet-follows.ts';
import { accountFrozen } from './account-frozen.ts';
import type { Areas } from './areas.ts';
import type { Base } from './base.ts';
import type { CommandResponder } from './commands.ts';
import { startOutbox } from './outbox.ts';

const PRESENCE = 'engine-';
const BALANCE_MS = 1_000;
const PASSWORD_CHANGES_MS = 15_000;

/** Everything that decides over money: orders, rounds, transfers, withdrawals, triggers, followed wallets. */
export async function startEngine(base: Base, areas: Areas, shared: SharedEngine | null): Promise<void> {
  const { subscriptions, signer, ownership, stops } = base;
  const { accounts, market, trading, triggers, strategies, walletFollows } = areas;
  const { withdrawals, transfers } = areas.treasury;
  const changes = new BookChanges(strategies);
  startOutbox(base, {
    [ACCOUNT_FROZEN_TOPIC]: accountFrozen({
      pausePurchases: (userId) => pausePurchases(triggers, userId),
      pauseWalletFollows: (userId) => pauseWalletFollows(walletFollows, userId),
      cancelHeld: (userId) => withdrawals.cancelHeld(userId),
      freezeAtSigner: (userId) => freezeAtSigner(accounts, userId),
    }),
    [COMMITS_FINAL_TOPIC]: ({ signatures }: CommitsFinal) => signer.commitsFinal(signatures),
    [TRANSFER_SETTLED_TOPIC]: (settled: TransferSettled) => onTransferSettled(strategies, settled),
    [FILLS_TOPIC]: (fills: FillsRecorded) => changes.onFills(fills),
    [UNDONE_TOPIC]: (undone: FillsUndone) => changes.onFillsUndone(undone),
    [RENT_RETURNED_TOPIC]: (returned: RentReturned) => changes.onRentReturned(returned),
  });
  withdrawals.start();
  stops.push(() => withdrawals.stop());
  stops.push(subscriptions.slot(() => transfers.slotSeen()));
  transfers.start();
  stops.push(() => transfers.stop());
  trading.start();
  stops.push(() => trading.stop());
  // Here and not among the jobs: it asks the signer.
  await ownership.job('password-changes', () => {
    const settling = { ...accounts, database: ownership.databaseOf('password-changes') };
    const loop = new Loop({
      name: 'completing of password changes',
      work: () => settlePasswordChanges(settling),
      everyMs: PASSWORD_CHANGES_MS,
      clock: base.clock,
      log: base.log,
    });
    loop.start();
    stops.push(() => loop.stop());
  });
  await ownership.job('wallet-follows', () => {
    const loop = new WalletFollowLoop({ ...walletFollows, database: ownership.databaseOf('wallet-follows') });
    stops.push(market.store.onTrades((trades) => loop.traded(trades.map(({ wallet }) => wallet))));
    loop.start();
    stops.push(() => loop.stop());
  });
  await ownership.job('triggers', async () => {
    await triggers.start();
    stops.push(() => triggers.stop());
    shared?.responder.hasTriggers();
  });
  strategies.start();
  stops.push(() => strategies.stop());
  if (shared) await joinEngines(base, shared);
}

/** What an engine among several has: its part of the lanes, and commands that reach it. */
export type SharedEngine = { lanes: SharesLanes; responder: CommandResponder };

/** Takes part in the sharing of lanes, and answers commands. */
async function joinEngines(
  { keeper, database, clock, log, stops }: Base,
  { lanes, responder }: SharedEngine,
): Promise<void> {
  await keeper!.take(`${PRESENCE}${randomUUID()}`);
  const balancing = new Loop({
    name: 'sharing of lanes',
    work: async () => lanes.balance(await countLeases(database, PRESENCE)),
    everyMs: BALANCE_MS,
    clock,
    log,
  });
  balancing.start();
  responder.start();
  stops.push(async () => {
    await balancing.stop();
    await responder.stop();
  });
}
