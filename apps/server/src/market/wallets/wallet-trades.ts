import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import type { Sql } from '../../platform/postgres.ts';
import { printTrade, type TradeRow } from '../reads/token-trades.ts';
import type { TokenDirectory } from '../token-directory.ts';
import { tokenRef } from './wallet-profile.ts';

const CURSOR = /^(\d{1,19})-(\d{1,10})$/;
const NEWEST = { seq: 2n ** 63n - 1n, tokenId: 0 };

/** Newest first. The cursor is the place of the last one: its number and its token, as one transaction may trade several. */
export async function loadWalletTrades(
  sql: Sql,
  tokens: TokenDirectory,
  { address, cursor, limit }: { address: string; cursor?: string | undefined; limit: number },
): Promise<CallReply<'getWalletTrades'>> {
  const before = cursor === undefined ? NEWEST : readCursor(cursor);
  const rows = await sql.query<Omit<TradeRow, 'wallet'> & { tokenId: number }>(
    `select x.token_id as "tokenId", x.seq, x.at, x.is_buy as "isBuy", x.lamports, x.base_units as "baseUnits",
            x.price_sol as "priceSol", x.price_usd as "priceUsd", x.value_usd as "valueUsd", x.signature
     from trade x where x.trader_id = (select id from trader where address = $1) and (x.seq, x.token_id) < ($2, $3)
     order by x.seq desc, x.token_id desc limit $4`,
    [address, before.seq, before.tokenId, limit],
  );
  const last = rows.at(-1);
  return {
    lists: rows.map((row) => {
      const token = tokens.byId(row.tokenId)!;
      const { priceSol: _sol, wallet: _own, id, ...trade } = printTrade({ ...row, wallet: address }, token.decimals);
      return { ...tokenRef(token), ...trade, id: `${id}-${row.tokenId}` };
    }),
    nextCursor: last && rows.length === limit ? `${last.seq}-${last.tokenId}` : null,
  };
}

function readCursor(text: string): typeof NEWEST {
  const found = CURSOR.exec(text);
  const seq = found && BigInt(found[1]!);
  const tokenId = found && Number(found[2]);
  if (!seq || tokenId === null || seq > NEWEST.seq || tokenId > 2 ** 31 - 1) {
    throw new AppError('INVALID_INPUT', { field: 'cursor', reason: 'format' });
  }
  return { seq, tokenId };
}
