import type { Fault } from './fault.ts';

const RULES = 'packages/domain/src/triggers/triggers.test.ts';
const MODEL = 'packages/domain/src/triggers/trigger-model.test.ts';
const FIRES_AS_OBVIOUS =
  'fires exactly what an evaluator fires that asks every trigger after every change, through kills and replays';
const EXITS = 'apps/server/src/triggers/trigger-exits.db.test.ts';
const REQUESTS = 'apps/server/src/triggers/trigger-requests.db.test.ts';
const DROPPED = 'apps/server/src/triggers/dropped-fills.db.test.ts';

export const triggerFaults: readonly Fault[] = [
  // When they fire.
  {
    file: 'packages/domain/src/triggers/trigger-price.ts',
    find: "level.when === 'below' ? isAtMost",
    replace: "level.when === 'above' ? isAtMost",
    test: RULES,
    title: 'is compared in SOL, in dollars and by market cap with what the order itself would get',
  },
  {
    file: 'packages/domain/src/triggers/decide-trigger.ts',
    find: 'high === null || now > high ? now : high',
    replace: 'now',
    test: RULES,
    title: 'follows the price up, never down, and fires at its distance from the high',
  },
  {
    file: 'packages/domain/src/triggers/decide-trigger.ts',
    find: 'if (!isActive) return trailing;',
    replace: '',
    test: RULES,
    title: 'does nothing before its activation price',
  },
  {
    file: 'packages/domain/src/triggers/token-watch.ts',
    find: 'const MARGIN = 0.03;',
    replace: 'const MARGIN = -0.05;',
    test: MODEL,
    title: FIRES_AS_OBVIOUS,
  },
  {
    file: 'packages/domain/src/triggers/token-watch.ts',
    find: 'this.#index.replaceAll(placed);',
    replace: '',
    test: MODEL,
    title: FIRES_AS_OBVIOUS,
  },
  // What they trade, and what follows.
  {
    file: 'packages/domain/src/triggers/trigger.ts',
    find: 'return smaller(heldUnits, wanted);',
    replace: 'return wanted;',
    test: RULES,
    title: 'is a share of what is held or was bought, and never more than is held',
  },
  {
    file: 'packages/domain/src/triggers/decide-after-order.ts',
    find: 'atMs < fired.firstFiredAtMs + STOP_RETRY_MS',
    replace: 'true',
    test: RULES,
    title: 'ends it where the order traded, and retries a stop for ten minutes where it passed by',
  },
  {
    file: 'apps/server/src/triggers/fire-triggers.ts',
    find: 'requireLease(sql, deps.lease())',
    replace: 'null',
    test: REQUESTS,
    title: 'fire once when two passes, a replay and a replaced server see the same change',
  },
  {
    file: 'apps/server/src/triggers/protect-buy.ts',
    find: "state: 'waiting',",
    replace: "state: 'open',",
    test: REQUESTS,
    title: 'writes its stop and target in its own transaction and arms them when it has traded',
  },
  {
    file: 'apps/server/src/triggers/position-binding.ts',
    find: ': position.tripId === open.tripId',
    replace: ': true',
    test: EXITS,
    title: 'ends with the position it protects, and a later entry does not inherit it',
  },
  {
    file: 'apps/server/src/triggers/settle-firing.ts',
    find: "...canceled.map((other) => ended(other, 'other-fired', now))",
    replace: '',
    test: EXITS,
    title: 'is canceled by its take profit, and the other way round, once that has traded',
  },
  // Trades that the chain takes back.
  {
    file: 'apps/server/src/ledger/undo-fills.ts',
    find: '      each.id = same.id;\n      free.delete(same);\n',
    replace: '',
    test: DROPPED,
    title: 'goes on protecting a position whose sale by hand, or whose later buy, the chain drops',
  },
  {
    file: 'apps/server/src/triggers/reopen-triggers.ts',
    find: "row.outcome === 'other-fired' && groups.has(row.group!.id)",
    replace: 'false',
    test: DROPPED,
    title: 'opens a stop and its target again where the chain drops the sale, sells once more, and says so',
  },
  {
    file: 'apps/server/src/triggers/trigger-loop.ts',
    find: '    await reopenRecent(this.#deps);\n    for (const mint',
    replace: '    for (const mint',
    test: DROPPED,
    title: 'opens it again at the next start where the server did not hear that its sale was dropped',
  },
];
