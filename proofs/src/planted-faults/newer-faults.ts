import type { Fault } from './fault.ts';

const SAME_MOMENT = 'apps/server/src/strategies/same-moment.db.test.ts';
const JOINS = 'apps/server/src/strategies/copying/join-follows.db.test.ts';
const STRATEGIES = 'apps/server/src/strategies/strategy-life.db.test.ts';
const WALLET_FOLLOWS = 'apps/server/src/wallet-follows/wallet-follows.db.test.ts';
const API_KEYS = 'apps/server/src/accounts/api-keys.db.test.ts';
const STANDBY = 'apps/signer/src/standby.test.ts';
const STREAM = 'apps/server/src/roles/stream.test.ts';

export const newerFaults: readonly Fault[] = [
  // What joins may lift, what a creator is shown, and what a busy market costs a page.
  {
    file: 'apps/server/src/strategies/copying/join-follows.ts',
    find: 'const joinedLamports = await loadJoinedLately(sql, strategy.userId, mint, now);',
    replace: 'const joinedLamports = lamports(0n);',
    test: JOINS,
    title: 'lets joins of an hour move the price only so far together, and says that the rest waits for depth',
  },
  {
    file: 'apps/server/src/strategies/copying/join-follows.ts',
    find: 'return rows.some(({ isDue }) => isDue) ? rows : [];',
    replace: 'return rows.filter(({ isDue }) => isDue);',
    test: JOINS,
    title: 'is shared in one round by all who wait, whoever comes in the right second',
  },
  {
    file: 'packages/domain/src/copying/follow-protection.ts',
    find: 'return smaller(runUpLamports, larger(0n, paidLamports - back));',
    replace: 'return 0n;',
    test: 'apps/server/src/strategies/protection.db.test.ts',
    title: 'has back what it paid above the reference once that was sold again, less what was lost',
  },
  {
    file: 'apps/server/src/strategies/strategy-lanes.ts',
    find: 'passedOver[each] >= PASSED_OVER_MAX',
    replace: 'passedOver[each] < 0',
    test: 'apps/server/src/strategies/strategy-lanes.test.ts',
    title: 'lets the creator and those who join have a turn after four others',
  },
  {
    file: 'apps/server/src/trading/trade.ts',
    find: 'unitsIn(side, amount + beside)',
    replace: 'amount',
    test: 'apps/server/src/strategies/protection.db.test.ts',
    title: 'is told the price of the round, with all who go along, and gets it',
  },
  {
    file: 'apps/server/src/stream/connection.ts',
    find: 'this.#sentSinceFlush && !privateChannels.has(channel)',
    replace: 'this.#sentSinceFlush',
    test: 'apps/server/src/stream/connection.test.ts',
    title:
      'sends who asked for batches what follows a first value together with the next flush, and own values at once',
  },
  // What followers pay, when they are stopped, and what is on paper.
  {
    file: 'packages/domain/src/copying/limit-price.ts',
    find: 'minimumAfterSlippage(quote.amountOut, slippage)',
    replace: 'minimumAfterSlippage(minimumAfterSlippage(quote.amountOut, slippage), slippage)',
    test: 'packages/domain/src/copying/limit-price.test.ts',
    title: 'of a sell is the pool’s own quote less the slippage',
  },
  {
    file: 'packages/domain/src/copying/limit-price.ts',
    find: 'other.numerator * one.denominator ? one : other',
    replace: 'other.numerator * one.denominator ? other : one',
    test: 'packages/domain/src/copying/limit-price.test.ts',
    title: 'of two is the one that asks for more',
  },
  {
    file: 'packages/domain/src/copying/follow-guard.ts',
    find: 'nowMs - sinceMs >= GUARD_HOLD_MS',
    replace: 'nowMs >= sinceMs',
    test: 'packages/domain/src/copying/follow-guard.test.ts',
    title: 'waits for a minute at the level and then closes',
  },
  {
    file: 'packages/domain/src/copying/follow-guard.ts',
    find: 'const values = [liquidationLamports, referenceLamports];',
    replace: 'const values = [liquidationLamports];',
    test: 'packages/domain/src/copying/follow-guard.test.ts',
    title: 'needs both values there: a drained pool or a stale reference alone ends nothing',
  },
  {
    file: 'packages/domain/src/copying/follow-guard.ts',
    find: '(value + returnedLamports) * BASIS_POINTS_WHOLE',
    replace: 'value * BASIS_POINTS_WHOLE',
    test: 'packages/domain/src/copying/follow-guard.test.ts',
    title: 'counts what was taken out: taking it is neither a loss nor a gain',
  },
  {
    file: 'packages/domain/src/copying/follow-guard.ts',
    find: 'return values.includes(null) ? null : true;',
    replace: 'return !values.includes(null);',
    test: 'packages/domain/src/copying/follow-guard.test.ts',
    title: 'keeps what was reached while nobody can say what the follow is worth, and closes by no guess',
  },
  {
    file: 'packages/domain/src/copying/round-plan.ts',
    find: 'lowest = smaller(lowest, held);',
    replace: 'lowest = smaller<bigint>(lowest, heldNow);',
    test: 'packages/domain/src/copying/round-plan-joins.test.ts',
    title: 'takes the least that the creator has held since the plan, whatever he bought back',
  },
  {
    file: 'packages/domain/src/copying/simulated-follow.ts',
    find: 'stopLoss: settings.stopLoss,',
    replace: 'stopLoss: null,',
    test: 'packages/domain/src/copying/simulated-follow.test.ts',
    title: 'ends once its stop loss was reached for a minute, at the value of that moment',
  },
  {
    file: 'apps/server/src/strategies/cancel-follow.ts',
    find: ' and (not v.by_guard or f.guard = v.closed_by)',
    replace: '',
    test: SAME_MOMENT,
    title: 'are not sold out by a stop loss that they have just taken back',
  },
  // What leaves a strategy's wallet.
  {
    file: 'apps/server/src/strategies/return-unclaimed.ts',
    find: 'strategy.endedAt.getTime() + UNCLAIMED_WAIT_MS <= nowMs',
    replace: 'strategy.endedAt.getTime() <= nowMs',
    test: STRATEGIES,
    title: 'hands what strangers sent to its wallet to its creator thirty days after its end, as a deposit',
  },
  {
    file: 'apps/server/src/strategies/return-funds.ts',
    find: 'const coins = goesInKind ? coinsToSend(',
    replace: 'const coins = !goesInKind ? coinsToSend(',
    test: STRATEGIES,
    title: 'sends a follower who asks for it the coins themselves',
  },
  // Two requests at the same moment.
  {
    file: 'apps/server/src/strategies/change-funds.ts',
    find: '    await requireActive(sql, follow.id);\n',
    replace: '',
    test: SAME_MOMENT,
    title: 'add nothing to a follow that they cancel',
  },
  {
    file: 'apps/server/src/trading/trade.ts',
    find: 'for (const key of buying) bought.set(key, now);',
    replace: '',
    test: SAME_MOMENT,
    title: 'does not sell his own into a purchase of his strategy that is still on its way',
  },
  {
    file: 'apps/server/src/strategies/copying/why-not-copied.ts',
    find: ' && !(await isTradingElsewhere(sql, other))',
    replace: '',
    test: SAME_MOMENT,
    title: 'buys alone while an order of his own in the coin is on its way',
  },
  {
    file: 'apps/server/src/triggers/place-triggers.ts',
    find: '    await requireLease(sql, deps.lease());\n',
    replace: '',
    test: 'apps/server/src/triggers/trigger-requests.db.test.ts',
    title: 'are not placed by a server that was replaced: the next one would not know of them',
  },
  {
    file: 'apps/server/src/wallet-follows/exit-transferred.ts',
    find: 'data.length < AMOUNT_END || ',
    replace: '',
    test: 'apps/server/src/wallet-follows/copied-sales.db.test.ts',
    title: 'sells also where a stranger has put SOL in the place of the wallet’s token account',
  },
  {
    file: 'apps/server/src/wallet-follows/manage-wallet-follows.ts',
    find: "loadOwn(sql, userId, id, 'for update')",
    replace: 'loadOwn(sql, userId, id)',
    test: WALLET_FOLLOWS,
    title: 'does as it is told at the same moment: paused it buys no more, ended it trades for nobody',
  },
  // What a stranger, a thief and a hostile server can do.
  {
    file: 'apps/server/src/treasury/wallet-movements.ts',
    find: 'order by bool_or(alarmed_at is not null), case when bool_or(alarmed_at is not null) then random() end, min(seen_at)',
    replace: 'order by min(seen_at)',
    test: 'apps/server/src/treasury/deposits.db.test.ts',
    title: 'do not wait behind outflows that cannot be posted, however many somebody makes',
  },
  {
    file: 'apps/server/src/trading/sum-differences.ts',
    find: 'new MoreOnChain(address, chain[index]?.lamports ?? 0n)',
    replace: 'new MoreOnChain(address, chain.reduce((sum, account) => sum + (account?.lamports ?? 0n), 0n))',
    test: 'apps/server/src/trading/sum-differences.test.ts',
    title: 'counts no SOL that a stranger sent to where a token account was',
  },
  {
    file: 'apps/server/src/treasury/reserves/take-snapshot.ts',
    find: 'if (address === wallet) return',
    replace: 'if (account.data.length === 0) return',
    test: 'apps/server/src/treasury/reserves/take-snapshot.db.test.ts',
    title: 'lists what is owed and what is on chain, and each user finds the own book in the tree',
  },
  {
    file: 'apps/server/src/http/api-key-door.ts',
    find: 'slippageBps = stop ? API_KEY_SLIPPAGE_BPS_MAX : usual',
    replace: 'slippageBps = stop ? 2_000 : usual',
    test: API_KEYS,
    title:
      'with a trade key gains no wider slippage by leaving it out, in a sale, in a stop or in what protects a purchase',
  },
  {
    file: 'apps/server/src/http/api-key-door.ts',
    find: 'if (bookId === null && !ACTS_IN_ALL_BOOKS.has(name)) return;',
    replace: 'if (bookId === null) return;',
    test: API_KEYS,
    title: 'with a trade key does not trade for those who follow its owner',
  },
  {
    file: 'apps/server/src/roles/stream.ts',
    find: "!== 'x-forwarded-for'",
    replace: "!== ''",
    test: STREAM,
    title: 'counts for the address of who calls, whatever he claims to be',
  },
  {
    file: 'apps/signer/src/limits/return-rules.ts',
    find: 'lamports <= allowance.soon',
    replace: 'allowance.soon > 0n',
    test: 'apps/signer/src/requests/strategy-wallets.test.ts',
    title: 'hides no return that it will not cover either: that is held with an alarm',
  },
  {
    file: 'apps/signer/src/socket/endpoint.ts',
    find: 'requestCert: true, rejectUnauthorized: true',
    replace: 'requestCert: true, rejectUnauthorized: false',
    test: STANDBY,
    title: 'speaks TLS with those only who have a certificate of its authority',
  },
  {
    file: 'apps/signer/src/main.ts',
    find: 'else await confirmed;',
    replace: 'else confirmed?.catch(() => {});',
    test: STANDBY,
    title: 'answers nothing that matters while its standby cannot be reached, and stops at once all the same',
  },
];
