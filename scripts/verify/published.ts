// What the product says about a strategy, as anybody can read it without an account.

export type PublishedRow = {
  id: string;
  time: number;
  kind: 'trade' | 'flow';
  side: 'buy' | 'sell' | 'in' | 'out';
  tokenContractAddress: string | null;
  tokenSymbol: string | null;
  tokenAmount: string | null;
  solAmount: string;
  networkFee: string;
  txHash: string | null;
};

export type PublishedDetail = {
  name: string;
  status: string;
  capitalAmount: string;
  equity: string;
  freeSol: string;
  yieldRate: string;
  winRate: string | null;
  closedTrades: number;
  positions: { tokenContractAddress: string; tokenSymbol: string; amount: string; cost: string | null }[];
  verify: { wallet: string };
};

const PAGE = 500;

async function ask<Data>(url: string, path: string, query: Record<string, string>): Promise<Data> {
  const reply = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`);
  const { code, msg, data } = (await reply.json()) as { code: number; msg: string; data: Data };
  if (code !== 200) throw new Error(`${path} answered: ${msg}`);
  return data;
}

export function readDetail(url: string, slug: string): Promise<PublishedDetail> {
  return ask(url, '/api/strategy/getStrategyDetail', { slug });
}

/** The whole public record, oldest first. */
export async function readRecord(url: string, slug: string): Promise<PublishedRow[]> {
  const rows: PublishedRow[] = [];
  let cursor: string | null = null;
  do {
    const page: { lists: PublishedRow[]; nextCursor: string | null } = await ask(
      url,
      '/api/strategy/getStrategyTrades',
      {
        slug,
        limit: String(PAGE),
        ...(cursor === null ? {} : { cursor }),
      },
    );
    rows.push(...page.lists);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows.sort((left, right) => left.time - right.time || Number(BigInt(left.id) - BigInt(right.id)));
}
