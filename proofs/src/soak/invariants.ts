import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { RpcClient } from '@hunter/solana/rpc-client';
import pg from 'pg';
import type { Endpoints } from '../../../apps/launcher/src/endpoints.ts';
import { until } from '../../../scripts/product-client.ts';

// What must be true of an instance at rest, asked of its database and its chain directly: the product's own opinion of itself
// proves nothing.

type Row = Record<string, string | null>;

const LOOKS = 4;

/** Each finds rows that must not exist. */
const impossible: Readonly<Record<string, string>> = {
  'a journal entry does not sum to zero': `
    select entry_id::text, asset, sum(amount)::text from journal_line group by entry_id, asset having sum(amount) <> 0`,
  'a balance is not the sum of its postings': `
    select coalesce(b.book_id, p.book_id)::text as book, coalesce(b.asset, p.asset) as asset,
      coalesce(b.account, p.account) as account, b.amount::text as balance, p.amount::text as postings
    from balance b full join (
      select book_id, account, asset, sum(amount) as amount from journal_line where book_id is not null group by 1, 2, 3
    ) p using (book_id, account, asset) where coalesce(b.amount, 0) <> coalesce(p.amount, 0)`,
  'an order was filled twice': `
    select order_id::text, count(*)::text from standing_fill where order_id is not null and kind in ('buy', 'sell')
    group by order_id, book_id having count(*) > 1`,
  'an order was filled without a fill': `
    select o.id::text, o.state, o.kind from trade_order o where o.state in ('confirmed', 'finalized') and not exists (
      select 1 from standing_fill f where f.order_id = o.id and f.kind = o.side)`,
  'a position is not what its book holds': `
    select coalesce(p.book_id, b.book_id)::text as book, coalesce(p.mint, b.asset) as mint, p.held::text as position,
      b.held::text as balance
    from (select book_id, mint, quantity + uncosted_tokens as held from position) p
    full join (
      select a.book_id, a.asset, sum(a.amount) as held from balance a join book k on k.id = a.book_id and k.kind <> 'unclaimed'
      where a.asset <> 'SOL' and a.account in ('cash', 'held') group by 1, 2
    ) b on b.book_id = p.book_id and b.asset = p.mint where coalesce(p.held, 0) <> coalesce(b.held, 0)`,
  'a transaction was posted as two fills of one book': `
    select signature, book_id::text, count(*)::text from standing_fill where signature is not null and kind in ('buy', 'sell')
    group by signature, book_id having count(*) > 1`,
  'an order landed twice': landedTwice('order'),
  'a transfer landed twice': landedTwice('transfer'),
  'a withdrawal landed twice': landedTwice('withdrawal'),
  'money is set aside for nothing': `
    select b.book_id::text, b.asset, b.amount::text from balance b join book k on k.id = b.book_id
    where b.account = 'held' and b.amount > 0 and not exists (
      select 1 from withdrawal w where w.book_id = b.book_id and w.state = 'delayed') and not exists (
      select 1 from transfer t join transfer_leg l on l.transfer_id = t.id where l.from_book = b.book_id and t.state in ('held', 'sent'))`,
  'a copy was skipped without a reason': `
    select a.order_id::text, a.book_id::text from filled_allocation a join trade_order o on o.id = a.order_id
    where o.state not in ('held', 'sent') and a.is_filled = (a.reason is not null)`,
  'an order failed without a reason': `
    select id::text, state from trade_order where state in ('failed', 'dead') and coalesce(error, '') = ''`,
  'the candles are not the trades': `
    select coalesce(c.token_id, t.token_id)::text as token, coalesce(c.start, t.start)::text as start,
      c.trades::text as candle, t.trades::text as trades, c.v::text as candle_volume, t.v::text as trade_volume,
      c.prices::text as candle_prices, t.prices::text as trade_prices
    from (select token_id, start, (buys + sells)::bigint as trades, v, array[o, h, l, c] as prices from candle_1m) c
    full join (
      select token_id, date_trunc('minute', at) as start, count(*) as trades, sum(base_units) as v,
        array[(array_agg(price_usd order by seq))[1], max(price_usd), min(price_usd),
          (array_agg(price_usd order by seq desc))[1]] as prices
      from trade group by 1, 2
    ) t using (token_id, start) where c.trades is distinct from t.trades or c.v is distinct from t.v
      or c.prices is distinct from t.prices limit 20`,
  'a trade was recorded twice': `
    select signature, token_id::text, count(*)::text from trade group by signature, token_id having count(*) > 1 limit 20`,
};

function landedTwice(purpose: 'order' | 'withdrawal' | 'transfer'): string {
  return `select intent_id, count(*)::text from signed_transaction
    where purpose = '${purpose}' and state in ('landed', 'finalized') group by intent_id having count(*) > 1`;
}

/** Returns that the signer holds for an hour, by its rules. */
const heldBySigner = `select id from transfer where kind = 'return' and state = 'held' and retry_at > now() + interval '10 minutes'`;

/**
 * What is still on its way, by name; all must come to rest by themselves. Closings of token accounts begin at any time, whenever one
 * has been empty for long enough: one that has begun must end.
 */
const unfinished = `
  select 'order' as what, id::text, state from trade_order where state in ('held', 'sent', 'confirmed')
  union all select 'withdrawal', id::text, state from withdrawal where state in ('requested', 'approved', 'sent', 'confirmed')
  union all select 'transfer', id::text, state from transfer where state in ('held', 'sent', 'confirmed')
    and id not in (${heldBySigner})
  union all select 'follow', id::text, status from follow where status in ('opening', 'closing')
    and coalesce(return_id not in (${heldBySigner}), true)
  union all select 'strategy', s.id::text, s.status from strategy s join book b on b.id = s.book_id
    where s.status in ('publishing', 'ending') and not exists (
      select 1 from transfer_leg l join book k on k.id = l.from_book
      where k.wallet_id = b.wallet_id and l.transfer_id in (${heldBySigner}))
  union all select 'trade in the market', f.signature, 'unseen' from standing_fill f where f.order_id is not null
    and f.kind in ('buy', 'sell') and not exists (select 1 from trade t where t.signature = f.signature)
  union all select 'movement', id::text, status from wallet_movement where status = 'seen'
  union all select purpose, signature, state from signed_transaction where state in ('sent', 'landed')
    and (purpose <> 'closing' or created_at < now() - interval '60 seconds')
  union all select 'alarm that books and chain differ for', wallet_id::text || ' ' || asset, (chain - books)::text
    from reconciliation_alarm where resolved_at is null
  union all select 'outbox', id::text, coalesce(failure, 'waiting') from outbox where done_at is null`;

export type Invariants = {
  broken: string[];
  wallets: number;
  orders: number;
  withdrawals: number;
  copies: number;
  returnsHeldBySigner: number;
};

export async function checkInvariants(
  endpoints: Pick<Endpoints, 'postgres' | 'rpc'>,
  { restMs = 300_000, lookApartMs = 15_000 } = {},
): Promise<Invariants> {
  const pool = new pg.Pool({ connectionString: endpoints.postgres, max: 4 });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const rpc = new RpcClient({ url: endpoints.rpc });
  const read = async (sql: string): Promise<Row[]> => (await pool.query<Row>(sql)).rows;
  const broken: string[] = [];
  try {
    let open: Row[] = [];
    await until(async () => (open = await read(unfinished)).length === 0, 'everything to be finished', restMs).catch(
      () => {
        broken.push(...open.map((row) => `never finished: ${row['what']} ${row['id']} is ${row['state']}`));
      },
    );
    for (const [problem, sql] of Object.entries(impossible)) {
      for (const row of await read(sql)) broken.push(`${problem}: ${JSON.stringify(row)}`);
    }
    const wallets = await read(`select id::text as "walletId", address from wallet`);
    broken.push(...(await compareWallets(read, rpc, wallets, lookApartMs)));
    const count = async (table: string): Promise<number> =>
      Number((await read(`select count(*) from ${table}`))[0]!['count']);
    return {
      broken,
      wallets: wallets.length,
      orders: await count('trade_order'),
      withdrawals: await count('withdrawal'),
      copies: await count('allocation'),
      returnsHeldBySigner: await count(`(${heldBySigner}) held`),
    };
  } finally {
    rpc.close();
    await pool.end();
  }
}

/**
 * The deposits of token accounts go on being taken back while this looks, which takes two passes of ten seconds each: only what still
 * differs after several looks is broken.
 */
async function compareWallets(
  read: (sql: string) => Promise<Row[]>,
  rpc: RpcClient,
  wallets: readonly Row[],
  lookApartMs: number,
): Promise<string[]> {
  let suspects = wallets;
  let broken: string[] = [];
  for (let look = 0; look < LOOKS && suspects.length > 0; look += 1) {
    if (look > 0) await delay(lookApartMs);
    broken = [];
    const differing: Row[] = [];
    for (const wallet of suspects) {
      const found = await compareWallet(read, rpc, wallet['walletId']!, wallet['address']!);
      if (found.length > 0) differing.push(wallet);
      broken.push(...found);
    }
    suspects = differing;
  }
  return broken;
}

/** SOL, tokens and rents of all books of a wallet against the chain, and every transaction on chain against our records. */
async function compareWallet(
  read: (sql: string) => Promise<Row[]>,
  rpc: RpcClient,
  walletId: string,
  address: string,
): Promise<string[]> {
  const broken: string[] = [];
  const rows = await read(
    `select case when b.account = 'rent' then 'rent' else b.asset end as asset, sum(b.amount)::text as amount
     from balance b join book k on k.id = b.book_id where k.wallet_id = '${walletId}' group by 1`,
  );
  const books = new Map(rows.map((row) => [row['asset']!, BigInt(row['amount']!)]));
  const [sol, plain, extended] = await Promise.all([
    rpc.getBalance(address as Address, 'finalized'),
    rpc.getTokenAccountsByOwner(address as Address, { programId: TOKEN_PROGRAM }, 'finalized'),
    rpc.getTokenAccountsByOwner(address as Address, { programId: TOKEN_2022_PROGRAM }, 'finalized'),
  ]);
  const chain = new Map<string, bigint>([['SOL', sol.value]]);
  const add = (asset: string, amount: bigint): unknown => chain.set(asset, (chain.get(asset) ?? 0n) + amount);
  const listed = new Set((await read('select mint from token')).map((row) => row['mint']));
  for (const account of [...plain.value, ...extended.value]) {
    // An account that a stranger handed over counts for nothing, and rent that he paid for a token of his own is his.
    const isForeign =
      account.address !== associatedTokenAddress(address as Address, account.mint, account.tokenProgram);
    if (!isForeign) add(account.mint, account.amount);
    if (listed.has(account.mint)) add('rent', account.lamports);
  }
  for (const asset of new Set([...books.keys(), ...chain.keys()])) {
    const difference = (chain.get(asset) ?? 0n) - (books.get(asset) ?? 0n);
    if (difference !== 0n) broken.push(`wallet ${address}: the chain has ${difference} ${asset} more than the books`);
  }
  const known = new Set(
    (
      await read(
        `select signature from signed_transaction where wallet_address = '${address}' or purpose = 'transfer'
         union select signature from wallet_movement where wallet_id = '${walletId}'`,
      )
    ).map((row) => row['signature']!),
  );
  const onChain = await rpc.getSignaturesForAddress(address as Address, { limit: 1_000 });
  for (const { signature } of onChain) {
    if (!known.has(signature)) broken.push(`wallet ${address}: nobody here knows the transaction ${signature}`);
  }
  return broken;
}
