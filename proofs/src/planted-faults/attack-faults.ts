import type { Fault } from './fault.ts';

const RETURNS = 'apps/signer/src/requests/strategy-returns.test.ts';
const CHANGE_FUNDS = 'apps/server/src/strategies/change-funds.db.test.ts';
const RECOVERY = 'apps/server/src/trading/order-recovery.db.test.ts';
const STRANGERS_SOL = 'apps/server/src/treasury/transfers/transfers.db.test.ts';

/** What a hostile server, a creator, a stranger or a thief would gain by. */
export const attackFaults: readonly Fault[] = [
  {
    file: 'apps/signer/src/limits/return-rules.ts',
    find: 'word > wordLamports / MUCH ? wordTotalLamports / 2n : wordTotalLamports',
    replace: 'wordTotalLamports * 1_000n',
    test: RETURNS,
    title: 'have a ceiling over all of them, and its half is an alarm',
  },
  {
    file: 'apps/signer/src/memory/strategy-funds.ts',
    find: 'if (word.lamports > 0n) this.#words.push(word);',
    replace: '',
    test: RETURNS,
    title: 'have a ceiling over all of them, and its half is an alarm',
  },
  {
    file: 'apps/signer/src/signer.ts',
    find: "if (policy.kind !== 'swap') this.#fees.admit(address, transaction, this.#now());",
    replace: '',
    test: 'apps/signer/src/requests/strategy-wallets.test.ts',
    title: 'of closings take a SOL of a wallet in 24 hours at most',
  },
  {
    file: 'apps/server/src/market/trade-prices.ts',
    find: 'if (last !== undefined && isDust(trade)) return last;',
    replace: '',
    test: 'apps/server/src/market/market-store.db.test.ts',
    title: 'leaves the price where it was when somebody trades dust, which the pool rounds to any price',
  },
  {
    file: 'packages/domain/src/market/swap-maths.ts',
    find: 'if (reserveIn + amountIn > AMOUNT_MAX)',
    replace: 'if (reserveIn < 0n)',
    test: 'packages/domain/src/triggers/token-watch.test.ts',
    title: 'are asked beside a purchase of more SOL than a pool could take, which does not fire',
  },
  {
    file: 'apps/server/src/trading/order-store.ts',
    find: 'and (taken_until is null or taken_until <= $4)',
    replace: 'and $4::timestamptz is not null',
    test: RECOVERY,
    title: 'wait ten seconds for an engine that has taken them and hangs, and are then carried on by another',
  },
  {
    file: 'apps/server/src/treasury/reserves/take-snapshot.ts',
    find: 'if (moving.has(address)) net.set(key, (net.get(key) ?? 0n) + missing);',
    replace: 'net.set(key, (net.get(key) ?? 0n) + missing);',
    test: 'apps/server/src/treasury/reserves/take-snapshot.db.test.ts',
    title: 'tells what is in transit apart from what is missing, also of what begins while the chain is read',
  },
  {
    file: 'apps/server/src/triggers/trigger-loop.ts',
    find: 'this.#settling.start();',
    replace: 'await this.settle();',
    test: 'apps/server/src/triggers/trigger-loop.test.ts',
    title: 'asks triggers while what has fired is being settled, however long that takes',
  },
  {
    file: 'apps/server/src/strategies/change-funds.ts',
    find: 'where book_id = $1 and amount_lamports < $2',
    replace: "where book_id = $1 and status = 'active' and amount_lamports < $2",
    test: CHANGE_FUNDS,
    title: 'is no gain of whoever cancels while it is on its way',
  },
  {
    file: 'apps/server/src/strategies/follow-strategy.ts',
    find: 'sum(greatest(0, f.amount_lamports - coalesce(f.returned_lamports, 0)))',
    replace: 'sum(f.amount_lamports)',
    test: CHANGE_FUNDS,
    title: 'makes room for others by what was taken out',
  },
  {
    file: 'packages/solana/src/token-account.ts',
    find: 'return account != null && tokensIn(account) !== null;',
    replace: 'return account != null;',
    test: STRANGERS_SOL,
    title: 'return tokens also where a stranger has sent SOL to the address of the account that they need',
  },
  {
    file: 'apps/server/src/roles/account-frozen.ts',
    find: 'await steps.freezeAtSigner(userId);\n    await steps.cancelHeld(userId);',
    replace: 'await steps.freezeAtSigner(userId);',
    test: 'apps/server/src/roles/account-frozen.test.ts',
    title: 'pauses and cancels also while the signer is away, and cancels again what it held back until it knew',
  },
  {
    file: 'apps/server/src/platform/leases.ts',
    find: 'where name = $1 and owner = $2 returning epoch`,',
    replace: 'where name = $1 and owner = $2 and until > clock_timestamp() returning epoch`,',
    test: 'apps/server/src/platform/server-lease.db.test.ts',
    title:
      'is joined, and not taken over, by a server that starts right after the database was away for longer than it lasts',
  },
  {
    file: 'apps/server/src/wallet-follows/manage-wallet-follows.ts',
    find: 'returned = isPriced ? whole : null;',
    replace: 'returned = whole;',
    test: 'apps/server/src/wallet-follows/wallet-follows.db.test.ts',
    title: 'has no result where what it held cannot be priced when it ends',
  },
];
