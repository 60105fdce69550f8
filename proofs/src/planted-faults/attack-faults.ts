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
    title: 'have a ceiling over all of them; its tenth and its half are alarms, on each further day, too',
  },
  {
    file: 'apps/signer/src/memory/strategy-funds.ts',
    find: 'if (word.lamports > 0n) this.#words.push(word);',
    replace: '',
    test: RETURNS,
    title: 'have a ceiling over all of them; its tenth and its half are alarms, on each further day, too',
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
    find: 'freezeAtSigner, cancelHeld]',
    replace: 'freezeAtSigner]',
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
  {
    file: 'apps/server/src/roles/account-frozen.ts',
    find: '.catch((error: Error) => failures.push(error))',
    replace: '',
    test: 'apps/server/src/roles/account-frozen.test.ts',
    title: 'tells the signer although another step fails, and is tried again for that one',
  },
  {
    file: 'apps/server/src/platform/outbox.ts',
    find: 'order by failed_at is not null, available_at, id',
    replace: 'order by available_at, id',
    test: 'apps/server/src/platform/outbox.db.test.ts',
    title: 'carries out what is new before what keeps failing',
  },
  {
    file: 'apps/server/src/platform/mail.ts',
    find: "command !== 'RCPT TO' || responseCode < 500",
    replace: "command !== 'RCPT TO' || responseCode < 600",
    test: 'apps/server/src/platform/mail.test.ts',
    title:
      'an answer of {"responseCode":550,"text":"no such user someone@example.com"} ends a mail where it refuses the receiver for good, and only there',
  },
  {
    file: 'apps/signer/src/limits/ceiling-watch.ts',
    find: 'if (last !== undefined && now < last.at + DAY_MS) continue;',
    replace: 'if (last !== undefined) continue;',
    test: 'apps/signer/src/limits/ceiling-watch.test.ts',
    title: 'tells once a day how much is used, and on how many days in a row',
  },
  {
    file: 'apps/signer/src/keys/key-file.ts',
    find: 'new Map([...this.#retired, [keyId, kept]]),',
    replace: 'this.#retired,',
    test: 'apps/signer/src/keys/sealed-key.test.ts',
    title: 'keeps a retired key in the key file, so that no call of an operator ends a wallet that was forgotten',
  },
  {
    file: 'apps/server/src/market/market-store.ts',
    find: 'const FIGURE_MAX = 10n ** 34n;',
    replace: 'const FIGURE_MAX = 10n ** 60n;',
    test: 'apps/server/src/market/market-store.db.test.ts',
    title: 'passes over a trade at a price that nobody could store, and stores those of all other tokens',
  },
  {
    file: 'packages/domain/src/alerts/deposit-alerts.ts',
    find: 'return room >= 0;',
    replace: 'return true;',
    test: 'apps/server/src/treasury/tell-deposits.db.test.ts',
    title:
      'tells somebody who is sent dust of 1,000 tokens of twenty and that there are more, once a day, and of real SOL still',
  },
  {
    file: 'apps/server/src/triggers/fire-triggers.ts',
    find: 'solPrice < 10n ** PRICE_DIGITS ? solPrice : null',
    replace: 'solPrice',
    test: 'apps/server/src/triggers/fire-triggers.db.test.ts',
    title: 'fires a trigger on a token of as many decimals as its maker likes',
  },
  {
    file: 'apps/server/src/strategies/copying/exit-follows.ts',
    find: 'closingSlippage(Math.max(...holders.map(',
    replace: 'closingSlippage(Math.max(...selling.map(',
    test: 'apps/server/src/strategies/copying/exit-follows.db.test.ts',
    title:
      'sells a coin within the slippage of those who hold it, whatever the market refused somebody else who leaves',
  },
];
