import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { Sql } from '../../platform/postgres.ts';
import { TOKEN_COLUMNS, tokenListItem, type TokenViewRow } from './token-views.ts';

/**
 * Finds tokens by name, symbol or address: exact symbol first, then prefixes, then parts, then what is alike enough to
 * be a typo; among equals the one with more liquidity.
 */
export async function loadTokenList(
  sql: Sql,
  request: CallParsedRequest<'getTokenList'>,
): Promise<CallReply<'getTokenList'>> {
  const { pageNo, pageSize } = request;
  const keyword = request.keyword.normalize('NFKC').toLowerCase();
  const offset = (pageNo - 1) * pageSize;
  const rows =
    keyword === ''
      ? await sql.query<TokenViewRow & { total: bigint }>(
          `select ${TOKEN_COLUMNS}, count(*) over () as total
           from token_stats s join token t on t.id = s.token_id order by s.score desc, s.token_id limit $1 offset $2`,
          [pageSize, offset],
        )
      : await sql.query<TokenViewRow & { total: bigint }>(
          `select ${TOKEN_COLUMNS}, count(*) over () as total
           from token t join token_stats s on s.token_id = t.id
           where t.search_text like '%' || $2 || '%' or $1 <% t.search_text
           order by (case when lower(t.symbol) = $1 then 0 when lower(t.name) = $1 then 1
                          when lower(t.mint) = $1 then 1
                          when lower(t.symbol) like $2 || '%' then 2
                          when lower(t.name) like $2 || '%' then 3
                          when t.search_text like '%' || $2 || '%' then 4 else 5 end),
                    (case when t.search_text like '%' || $2 || '%' then 0 else -word_similarity($1, t.search_text) end),
                    s.liquidity_usd desc, t.id
           limit $3 offset $4`,
          [keyword, escapeLike(keyword), pageSize, offset],
        );
  return { lists: rows.map(tokenListItem), total: Number(rows[0]?.total ?? 0), pageNo, pageSize };
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
