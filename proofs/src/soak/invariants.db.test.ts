import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../scripts/database-for-test.ts';
import { checkInvariants } from './invariants.ts';

// The soak is worth as much as its invariants: each of them is broken on purpose here and must be noticed, and a sound instance must
// pass.

const user = `'00000000-0000-4000-8000-000000000001'`;
const book = `'00000000-0000-4000-8000-0000000000b1'`;
const wallet = `'00000000-0000-4000-8000-0000000000a1'`;
const order = `'00000000-0000-4000-8000-0000000000c1'`;
const withdrawal = `'00000000-0000-4000-8000-0000000000d1'`;
const WALLET = 'So11111111111111111111111111111111111111112';
const MINT = 'So11111111111111111111111111111111111111113';
const RENT = 2_039_280;

const signed = `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire,
  last_valid_block_height, sender, state) values`;

/** Ten SOL came, one bought tokens, a tenth was withdrawn, and the market saw the purchase. */
const soundInstance = [
  `insert into users (id, email, email_key, password_hash, display_name) values (${user}, 'a', 'a', '', 'a')`,
  `insert into wallet (id, user_id, address, envelope) values (${wallet}, ${user}, '${WALLET}', '')`,
  `insert into book (id, user_id, wallet_id, kind, name) values (${book}, ${user}, ${wallet}, 'personal', 'Personal')`,
  `insert into wallet_movement (user_id, wallet_id, wallet_address, signature, asset, decimals, amount, slot, at, status)
     values (${user}, ${wallet}, '${WALLET}', 'deposit', 'SOL', 9, 10000000000, 1, now(), 'finalized')`,
  `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state)
     values (${order}, ${user}, ${book}, ${wallet}, 'trade', 'buy', '${MINT}', 1000000000, 1000000000, 100, 'finalized')`,
  `${signed} ('purchase', 'order', ${order}, 1, '${WALLET}', '', 1, 's', 'finalized')`,
  `insert into withdrawal (id, user_id, book_id, from_address, to_address, amount, fee_lamports, state, request_key)
     values (${withdrawal}, ${user}, ${book}, '${WALLET}', 'x', 100000000, 5000, 'finalized', 'k')`,
  `${signed} ('withdrawal', 'withdrawal', ${withdrawal}, 1, '${WALLET}', '', 1, 's', 'finalized')`,
  `insert into journal_entry (kind, reference) values ('deposit', 'd'), ('order-fill', 'o'), ('withdrawal', 'w')`,
  `insert into posting (entry_id, line, book_id, account, asset, amount)
     select e.id, v.line, v.book, v.account, v.asset, v.amount from journal_entry e join (values
       ('d', 1, ${book}::uuid, 'cash', 'SOL', 10000000000), ('d', 2, null, 'chain', 'SOL', -10000000000),
       ('o', 1, ${book}::uuid, 'cash', 'SOL', -1002044280), ('o', 2, ${book}::uuid, 'rent', 'SOL', ${RENT}),
       ('o', 3, null, 'venue', 'SOL', 1000000000), ('o', 4, null, 'network-fee', 'SOL', 5000),
       ('o', 5, ${book}::uuid, 'cash', '${MINT}', 500), ('o', 6, null, 'venue', '${MINT}', -500),
       ('w', 1, ${book}::uuid, 'cash', 'SOL', -100005000), ('w', 2, null, 'external', 'SOL', 100005000)
     ) v (reference, line, book, account, asset, amount) on v.reference = e.reference`,
  `insert into fill (reference, user_id, book_id, mint, kind, tokens, lamports, order_id, signature, at)
     values ('o', ${user}, ${book}, '${MINT}', 'buy', 500, 1000000000, ${order}, 'purchase', now())`,
  `update holding set quantity = 500, cost_lamports = 1000000000 where asset = '${MINT}'`,
  `insert into token (mint, name, symbol, decimals, token_program, supply, created_at) values ('${MINT}', 'N', 'N', 6, 'T', 1, now())`,
  `insert into trader (address) values ('t')`,
  `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
     select t.id, v.seq, '2026-11-01 10:00:05+00', true, 1, 10, 1, v.price, 1, w.id, v.signature
     from token t, trader w, (values (1, 5, 'purchase'), (2, 9, 'b'), (3, 7, 'c')) v (seq, price, signature)`,
  `insert into candle_1m (token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq)
     select id, '2026-11-01 10:00:00+00', 5, 9, 5, 7, 30, 3, 3, 0, 1, 3 from token`,
];

let database: TestDatabase;
let chain: FakeNode;
beforeEach(async () => {
  database = await createTestDatabase();
  chain = await FakeNode.start();
  await run(soundInstance);
});
afterEach(async () => {
  await chain.stop();
  await database.drop();
});

async function run(statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  // The database is dropped with force right after.
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** As somebody with a hand in the database would, past its own guards. */
async function tamper(...statements: string[]): Promise<void> {
  await run([`set session_replication_role = replica`, ...statements]);
}

async function broken(): Promise<string> {
  const endpoints = { web: '', rpc: chain.url, rpcWs: '', venue: '', postgres: database.url };
  return (await checkInvariants(endpoints, { restMs: 0, lookApartMs: 1 })).broken.join('\n');
}

describe('the invariants of the soak', () => {
  it('hold for a sound instance', async () => {
    expect(await broken()).toBe('');
  });

  it('hold while a token account is being closed, which begins at any time', async () => {
    await tamper(
      `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height, sender)
         values ('closing', 'closing', 'account', 1, '${WALLET}', '', 1, 's')`,
    );
    expect(await broken()).toBe('');
  });

  const posting = `insert into posting (entry_id, line, book_id, account, asset, amount)`;
  const cases: [string, string[], RegExp][] = [
    [
      'a one-sided journal entry',
      [`${posting} select id, 9, null, 'chain', 'SOL', 5 from journal_entry where reference = 'd'`],
      /does not sum to zero/,
    ],
    ['a balance that somebody changed', [`update holding set cash = cash + 1 where asset = 'SOL'`], /not the sum of/],
    ['a missing balance', [`update holding set rent = 0`], /not the sum of its postings/],
    ['a missing fill', [`delete from fill`], /filled without a fill/],
    ['a position that lost a token', [`update holding set quantity = quantity - 1`], /not what its book holds/],
    ['a missing position', [`update holding set quantity = null, cost_lamports = null`], /not what its book holds/],
    [
      'a second fill of one order',
      [
        `insert into fill (reference, user_id, book_id, mint, kind, tokens, lamports, order_id, signature, at)
           select 'again', user_id, book_id, mint, kind, tokens, lamports, order_id, signature, at from fill`,
      ],
      /filled twice[^]*posted as two fills/,
    ],
    [
      'a second landed attempt',
      [`${signed} ('second', 'order', ${order}, 2, '${WALLET}', '', 1, 's', 'landed')`],
      /order landed twice/,
    ],
    [
      'a withdrawal that was paid twice',
      [`${signed} ('second', 'withdrawal', ${withdrawal}, 2, '${WALLET}', '', 1, 's', 'finalized')`],
      /withdrawal landed twice/,
    ],
    [
      'money that stays set aside',
      [
        `${posting} select id, 11, ${book}::uuid, 'cash', 'SOL', -7 from journal_entry where reference = 'd'
           union all select id, 12, ${book}::uuid, 'held', 'SOL', 7 from journal_entry where reference = 'd'`,
        `update holding set cash = cash - 7, held = 7 where asset = 'SOL'`,
      ],
      /^money is set aside for nothing/,
    ],
    [
      'a closing of a token account that never ends',
      [
        `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height, sender,
           created_at) values ('closing', 'closing', 'account', 1, '${WALLET}', '', 1, 's', now() - interval '2 minutes')`,
      ],
      /never finished: closing closing is sent/,
    ],
    ['an order that never ends', [`update trade_order set state = 'sent'`], /never finished: order/],
    ['an order that failed for no reason', [`update trade_order set state = 'dead'`], /failed without a reason/],
    ['a candle with another close', [`update candle_1m set c = 6`], /candles are not the trades/],
    ['a candle with another volume', [`update candle_1m set v = v + 1`], /candles are not the trades/],
    ['a missing candle', [`delete from candle_1m`], /candles are not the trades/],
    ['a trade that is missing', [`delete from trade where seq = 2`], /candles are not the trades/],
    [
      'a trade that the market lost',
      [`update trade set signature = 'a' where seq = 1`],
      /never finished: trade in the market/,
    ],
    ['a trade that is there twice', [`update trade set signature = 'same'`], /trade was recorded twice/],
    [
      'an alarm of the product itself',
      [
        `insert into reconciliation_alarm (user_id, wallet_id, asset, books, chain, slot) values (${user}, ${wallet}, 'SOL', 1, 2, 3)`,
      ],
      /never finished: alarm that books and chain differ/,
    ],
    [
      'a transaction on chain that nobody knows',
      [`delete from signed_transaction where purpose = 'order'`],
      /nobody here knows the transaction purchase/,
    ],
  ];
  it.each(cases)('notice %s', async (_what, statements, complaint) => {
    await tamper(...statements);
    expect(await broken()).toMatch(complaint);
  });

  it('let a return that is on its way keep what it sets aside', async () => {
    const transfer = `'00000000-0000-4000-8000-0000000000e1'`;
    await tamper(
      `${posting} select id, 11, ${book}::uuid, 'cash', 'SOL', -7 from journal_entry where reference = 'd'
         union all select id, 12, ${book}::uuid, 'held', 'SOL', 7 from journal_entry where reference = 'd'`,
      `update holding set cash = cash - 7, held = 7 where asset = 'SOL'`,
      `insert into transfer (id, kind, wallet_id, state) values (${transfer}, 'return', ${wallet}, 'sent')`,
      `insert into transfer_leg (transfer_id, line, from_book, to_book, asset, amount)
         values (${transfer}, 1, ${book}, ${book}, 'SOL', 7)`,
    );
    expect(await broken()).toMatch(/^never finished: transfer \S+ is sent$/);
  });

  it('notice a single lamport, token or rent by which the chain differs', async () => {
    chain.lamports += 1;
    expect(await broken()).toMatch(/the chain has 1 SOL more/);
    chain.lamports -= 1;
    chain.tokens -= 1;
    expect(await broken()).toMatch(/the chain has -1 So1\w+ more/);
    chain.tokens += 1;
    chain.rent += 1;
    expect(await broken()).toMatch(/the chain has 1 rent more/);
  });

  it('count nothing that lies in an account handed over by a stranger', async () => {
    chain.tokenAccount = WALLET;
    expect(await broken()).toMatch(/the chain has -500 So1\w+ more/);
  });
});

/** Answers like a node whose only inhabitant is the wallet above. */
class FakeNode {
  readonly #server: Server;
  lamports = 10_000_000_000 - 1_002_044_280 - 100_005_000;
  tokens = 500;
  rent = RENT;
  tokenAccount: string = associatedTokenAddress(address(WALLET), address(MINT));

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
          id: string;
          method: string;
          params: unknown[];
        };
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: this.#answer(method, params) }));
      });
    });
  }

  static async start(): Promise<FakeNode> {
    const node = new FakeNode();
    node.#server.listen(0, '127.0.0.1');
    await once(node.#server, 'listening');
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(method: string, params: unknown[]): unknown {
    const context = { slot: 100 };
    if (method === 'getBalance') return { context, value: this.lamports };
    if (method === 'getSignaturesForAddress') {
      return ['deposit', 'purchase', 'withdrawal'].map((signature) => ({
        signature,
        slot: 1,
        err: null,
        blockTime: 1,
      }));
    }
    const { programId } = params[1] as { programId: string };
    if (!programId.startsWith('Tokenkeg')) return { context, value: [] };
    const info = {
      mint: MINT,
      owner: WALLET,
      state: 'initialized',
      tokenAmount: { amount: String(this.tokens), decimals: 6 },
    };
    const data = { program: 'spl-token', parsed: { type: 'account', info }, space: 165 };
    const account = { lamports: this.rent, owner: programId, data, executable: false, rentEpoch: 0, space: 165 };
    return { context, value: [{ pubkey: this.tokenAccount, account }] };
  }
}
