import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printTokens } from '@hunter/domain/numbers/base-units';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { priceOfTrade, printPriceSol } from '@hunter/domain/numbers/price';
import { readIdCursor } from '../../platform/id-cursor.ts';
import { loadCreatorProofs } from '../../trading/rounds/round-memo.ts';
import type { NewEvent } from '../performance/record-events.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategy } from '../strategy-store.ts';
import { decimalsOf, symbolOf } from './coin-refs.ts';

const RATE_DECIMALS = 18;

/** The public record, newest first. */
export async function loadStrategyTrades(
  deps: Strategies,
  { slug, cursor, limit, proofs }: CallParsedRequest<'getStrategyTrades'>,
): Promise<CallReply<'getStrategyTrades'>> {
  const strategy = await loadStrategy(deps.database, slug);
  const before = readIdCursor(cursor);
  const rows = await deps.database.query<NewEvent & { id: bigint; nav: bigint }>(
    `select id, reference, kind, side, mint, tokens, lamports, fee_lamports as "feeLamports", signature, at, nav
     from strategy_event where strategy_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [strategy.id, before, limit],
  );
  const facts = await deps.tokens.load(rows.flatMap((row) => row.mint ?? []));
  const signatures =
    proofs === undefined ? [] : rows.flatMap(({ kind, signature }) => (kind === 'trade' && signature) || []);
  const allocations = await loadCreatorProofs(deps.database, strategy.bookId, signatures);
  return {
    lists: rows.map((row) => {
      const { mint, tokens, lamports } = row;
      const decimals = mint === null ? null : decimalsOf(facts, mint);
      const priced = row.kind === 'trade' && tokens !== null && tokens > 0n && decimals !== null;
      return {
        id: String(row.id),
        time: row.at.getTime(),
        kind: row.kind,
        side: row.side,
        tokenContractAddress: mint,
        tokenSymbol: mint === null ? null : symbolOf(facts, mint),
        tokenAmount: tokens === null ? null : printTokens(tokens, decimals),
        solAmount: printDecimal(lamports, SOL_DECIMALS),
        networkFee: printDecimal(row.feeLamports, SOL_DECIMALS),
        price: priced ? printPriceSol(priceOfTrade(lamports, tokens, decimals)) : null,
        txHash: row.signature,
        nav: printDecimal(row.nav, RATE_DECIMALS),
        allocation: allocations.get(row.signature ?? '') ?? null,
      };
    }),
    nextCursor: rows.length === limit ? String(rows.at(-1)!.id) : null,
  };
}
