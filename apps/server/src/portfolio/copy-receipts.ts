import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printDecimal, printPercentOf } from '@hunter/domain/numbers/decimal';
import { baseUnits, printTokens } from '@hunter/domain/numbers/base-units';
import { lamports as asLamports, SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { priceOfTrade, printPriceSol } from '@hunter/domain/numbers/price';
import type { Address } from '@hunter/solana/address';
import { loadFollowOf } from '../strategies/follow-store.ts';
import type { Strategies } from '../strategies/strategies.ts';
import { loadStrategy } from '../strategies/strategy-store.ts';
import { decimalsOf, symbolOf } from '../strategies/reads/coin-refs.ts';

type Receipt = CallReply<'getCopyReceipts'>['lists'][number];

type CopyRow = {
  roundId: string;
  at: Date;
  state: 'pending' | 'filled' | 'skipped';
  side: 'buy' | 'sell';
  mint: Address;
  wantedIn: bigint | null;
  filledIn: bigint | null;
  filledOut: bigint | null;
  leadIn: bigint | null;
  leadOut: bigint | null;
  signature: string | null;
  reason: string | null;
  limitedBy: string | null;
};

const PAGE = 50;

const RECEIPT_STATE = `case when a.reason is not null then 'skipped' when a.is_filled then 'filled' else 'pending' end`;

/** Every round that the user's follow took part in or was left out of, newest first. */
export async function loadCopyReceipts(
  deps: Strategies,
  userId: string,
  { slug, cursor }: CallParsedRequest<'getCopyReceipts'>,
): Promise<CallReply<'getCopyReceipts'>> {
  const strategy = await loadStrategy(deps.database, slug);
  const follow = await loadFollowOf(deps.database, userId, strategy.id);
  if (!follow) throw new AppError('NOT_FOLLOWING');
  const [beforeMs, beforeId] = readCursor(cursor);
  const rows = await deps.database.query<CopyRow>(
    `select * from (
       (select a.order_id as "roundId", a.at, ${RECEIPT_STATE} as state, o.side, o.mint,
         coalesce(a.wanted_in, a.amount_in) as "wantedIn", a.filled_in as "filledIn", a.filled_out as "filledOut",
         c.filled_in as "leadIn", c.filled_out as "leadOut", case when a.is_filled then o.signature end as signature,
         a.reason, a.limited_by as "limitedBy"
       from filled_allocation a join trade_order o on o.id = a.order_id
         left join filled_allocation c on c.order_id = o.id and c.book_id = o.book_id
       where a.follow_id = $1 and (o.kind <> 'exit' or a.is_filled)
         and ($3::timestamptz is null or (a.at, a.order_id) < ($3, $4::uuid))
       order by a.at desc, a.order_id desc limit ${PAGE})
       union all
       select o.id, o.created_at, case when o.filled_out is null then 'skipped' else 'filled' end, o.side, o.mint, o.amount_in,
         o.filled_in, o.filled_out, null, null, o.signature, case when o.filled_out is null then 'venue-refused' end, null
       from trade_order o where o.book_id = $2 and o.kind = 'open-follow'
     ) x where $3::timestamptz is null or (x.at, x."roundId") < ($3, $4::uuid)
     order by x.at desc, x."roundId" desc limit ${PAGE}`,
    [follow.id, follow.bookId, beforeMs === null ? null : new Date(beforeMs), beforeId],
  );
  const facts = await deps.tokens.load(rows.map((row) => row.mint));
  const last = rows.at(-1);
  return {
    lists: rows.map((row) => printReceipt(row, symbolOf(facts, row.mint), decimalsOf(facts, row.mint))),
    nextCursor: rows.length === PAGE && last ? `${last.at.getTime()}.${last.roundId}` : null,
  };
}

const KIND = { pending: 'pending', filled: 'fill', skipped: 'skip' } as const;

function printReceipt(row: CopyRow, tokenSymbol: string, decimals: number | null): Receipt {
  const { filledIn, filledOut, wantedIn, side } = row;
  const own = amounts(side, filledIn, filledOut);
  const lead = amounts(side, row.leadIn, row.leadOut);
  const price = own && decimals !== null ? priceOfTrade(own.lamports, own.tokens, decimals) : null;
  const creatorPrice = lead && decimals !== null ? priceOfTrade(lead.lamports, lead.tokens, decimals) : null;
  const scaled = filledIn !== null && wantedIn !== null && filledIn < wantedIn;
  return {
    id: row.roundId,
    time: row.at.getTime(),
    kind: KIND[row.state],
    side,
    tokenContractAddress: row.mint,
    tokenSymbol,
    tokenAmount: own ? printTokens(own.tokens, decimals) : null,
    solAmount: own ? printDecimal(own.lamports, SOL_DECIMALS) : null,
    price: price === null ? null : printPriceSol(price),
    creatorPrice: creatorPrice === null ? null : printPriceSol(creatorPrice),
    // Two decimals of a percent: a share rounded down to a base unit is no gap.
    priceGap:
      price === null || creatorPrice === null || creatorPrice === 0n
        ? null
        : printPercentOf(price - creatorPrice, creatorPrice, 2, 'nearest'),
    scaled: scaled ? printPercentOf(filledIn, wantedIn, 2, 'floor') : null,
    txHash: row.signature,
    reason: row.reason,
    limitedBy: row.limitedBy,
  };
}

function amounts(side: 'buy' | 'sell', amountIn: bigint | null, amountOut: bigint | null) {
  if (amountIn === null || amountOut === null) return null;
  const [lamports, tokens] = side === 'buy' ? [amountIn, amountOut] : [amountOut, amountIn];
  return tokens > 0n ? { lamports: asLamports(lamports), tokens: baseUnits(tokens) } : null;
}

const CURSOR = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function readCursor(cursor: string | undefined): [number, string] | [null, null] {
  if (cursor === undefined) return [null, null];
  const match = CURSOR.exec(cursor);
  if (!match) throw new AppError('INVALID_INPUT', { field: 'cursor', reason: 'format' });
  return [Number(match[1]), match[2]!];
}
