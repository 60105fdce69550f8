import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenDirectory } from '../token-directory.ts';
import { TOKEN_COLUMNS, tokenListItem, type TokenViewRow } from './token-views.ts';

/** Nobody pages further than this, and counting further costs more than the page. */
const FOUND_MAX = 300;

/**
 * Finds tokens by name, symbol or address: exact symbol first, then prefixes, then parts; among equals the one with more
 * liquidity. Only where nothing contains the keyword is it taken for a typo, and what is most like it comes first.
 */
export async function loadTokenList(
  sql: Sql,
  tokens: Pick<TokenDirectory, 'alike'>,
  request: CallParsedRequest<'getTokenList'>,
): Promise<CallReply<'getTokenList'>> {
  const { pageNo, pageSize } = request;
  // PostgreSQL has no text with a zero in it, and neither has any token's name.
  const keyword = request.keyword.replaceAll('\u0000', '').normalize('NFKC').toLowerCase();
  const offset = (pageNo - 1) * pageSize;
  if (keyword === '') return allTokens(sql, pageNo, pageSize, offset);
  const containing = await tokensContaining(sql, keyword);
  const found = containing.length > 0 ? containing : tokens.alike(keyword);
  const ids = found.slice(offset, offset + pageSize).map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await tokensOf(sql, ids);
  return { lists: rows.map(tokenListItem), total: found.length, pageNo, pageSize };
}

async function allTokens(sql: Sql, pageNo: number, pageSize: number, offset: number) {
  const [rows, count] = await Promise.all([
    sql.query<TokenViewRow>(
      `select ${TOKEN_COLUMNS} from token_stats s join token t on t.id = s.token_id
       order by s.score desc, s.token_id limit $1 offset $2`,
      [pageSize, offset],
    ),
    sql.query<{ total: bigint }>(`select count(*) as total from token_stats`),
  ]);
  return { lists: rows.map(tokenListItem), total: Number(count[0]!.total), pageNo, pageSize };
}

/** The best first; the columns to show are read for the page alone. */
function tokensContaining(sql: Sql, keyword: string): Promise<{ id: number }[]> {
  return sql.query<{ id: number }>(
    `select t.id from token t join token_stats s on s.token_id = t.id
     where t.search_text like '%' || $2 || '%'
     order by (case when lower(t.symbol) = $1 then 0 when lower(t.name) = $1 then 1 when lower(t.mint) = $1 then 1
                    when lower(t.symbol) like $2 || '%' then 2 when lower(t.name) like $2 || '%' then 3 else 4 end),
              s.liquidity_usd desc, t.id
     limit $3`,
    [keyword, escapeLike(keyword), FOUND_MAX],
  );
}

function tokensOf(sql: Sql, ids: readonly number[]): Promise<TokenViewRow[]> {
  return sql.query<TokenViewRow>(
    `select ${TOKEN_COLUMNS} from unnest($1::int[]) with ordinality as page (id, place)
     join token t using (id) join token_stats s on s.token_id = t.id order by place`,
    [ids],
  );
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
