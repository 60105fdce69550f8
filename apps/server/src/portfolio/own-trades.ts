import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import { priceOfTrade, printLamportsUsd, printPriceSol, printPriceUsd } from '@hunter/domain/numbers/price';
import { printMicroUsd } from '../market/reads/token-views.ts';
import type { TokenRow } from '../market/token-directory.ts';
import type { Sql } from '../platform/postgres.ts';

type OwnTradeRow = {
  id: bigint;
  bookId: string;
  at: Date;
  side: 'buy' | 'sell';
  tokens: BaseUnits;
  lamports: Lamports;
  wallet: string;
  signature: string;
  /** Of one SOL when it traded; null while the trade is not in the market's record. */
  solUsdMicro: bigint | null;
};

const CURSOR = /^(\d{1,18})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * What a user's books gave and got in trades of a token, newest first; of rounds his own part. The market's record of the same trades
 * has what the pool gave and got: all of a round, and of a token that takes a tax another amount than the wallet's.
 */
export async function loadOwnTrades(
  { database, solUsdAt }: { database: Sql; solUsdAt: (atMs: number) => Promise<bigint> },
  userId: string,
  token: TokenRow,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<CallReply<'getTokenTransactionData'>> {
  const before = cursor === undefined ? null : CURSOR.exec(cursor);
  if (cursor !== undefined && !before) throw new AppError('INVALID_INPUT', { field: 'cursor', reason: 'format' });
  const rows = await database.query<OwnTradeRow>(
    `with own as materialized (
       select f.id, f.book_id, f.at, f.kind, f.tokens, f.lamports, w.address, f.signature, r.id as trader_id
       from standing_fill f join book k on k.id = f.book_id join wallet w on w.id = k.wallet_id left join trader r on r.address = w.address
       where f.user_id = $1 and f.mint = $2 and f.kind in ('buy', 'sell')
         and ($4::bigint is null or (f.id, f.book_id) < ($4, $5::uuid))
       order by f.id desc, f.book_id desc limit $6)
     select own.id, book_id as "bookId", at, kind as side, tokens, lamports, address as wallet, own.signature,
       seen.usd_micro as "solUsdMicro"
     from own left join (
       -- The trades of each wallet are read once, not for each row.
       select trader_id, x.* from (select distinct trader_id from own) t cross join lateral (
         select x.signature, (sum(x.value_usd) * 1000000000 / nullif(sum(x.lamports), 0))::numeric(40, 0) as usd_micro
         from trade x where x.trader_id = t.trader_id and x.token_id = $3 and x.signature in (select signature from own)
         group by x.signature) x
     ) seen using (trader_id, signature)
     order by own.id desc, book_id desc`,
    [userId, token.mint, token.id, before?.[1] ?? null, before?.[2] ?? null, limit],
  );
  const last = rows.at(-1);
  return {
    lists: await Promise.all(
      rows.map(async ({ id, bookId, at, side, tokens, lamports, wallet, signature, solUsdMicro }) => {
        const solUsd = printMicroUsd(solUsdMicro ?? (await solUsdAt(at.getTime())));
        const price = priceOfTrade(lamports, tokens, token.decimals);
        return {
          id: `${id}-${bookId}`,
          bookId,
          time: at.getTime(),
          side,
          price: printPriceUsd(price, solUsd),
          priceSol: printPriceSol(price),
          tokenAmount: printDecimal(tokens, token.decimals),
          solAmount: printSol(lamports),
          valueUsd: printLamportsUsd(lamports, solUsd),
          wallet,
          txHash: signature,
        };
      }),
    ),
    nextCursor: last && rows.length === limit ? `${last.id}-${last.bookId}` : null,
  };
}
