// A product and a node that agree, made of plain data: tests change one of them and see whether the verifier notices.

import { decodeBase58 } from '@hunter/solana/base58';
import { address } from '@hunter/solana/address';
import type { Fetch, Transaction } from './chain.ts';
import { printUnits } from './exact.ts';
import type { PublishedDetail, PublishedPool, PublishedRow } from './published.ts';

export const WALLET = 'So11111111111111111111111111111111111111112';
export const MINT = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ACCOUNT = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const POOL = 'ComputeBudget111111111111111111111111111111';
export const VAULT = 'Vote111111111111111111111111111111111111111';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const FEE = 10_000;

export type World = {
  detail: PublishedDetail;
  rows: PublishedRow[];
  pools: PublishedPool[];
  transactions: Record<string, Transaction>;
  accounts: Record<string, { lamports: number; owner: string; data: Uint8Array }>;
  /** Set to make the node behave as some do. */
  node: { batches: boolean; busyReplies: number; error: string | null };
  requests: { method: string; batch: number }[];
  fetch: Fetch;
};

type Swap = {
  signature: string;
  lamports: number;
  deposit?: number;
  before: bigint;
  after: bigint;
  memo?: string;
  mint?: string;
  /** What the wallet has before it. */
  solBefore?: number;
};

export function aSwap(swap: Omit<Swap, 'signature'>): Transaction {
  const { lamports, deposit = 0, before, after, memo, mint = MINT, solBefore = 20_000_000_000 } = swap;
  const balance = (amount: bigint) => ({
    accountIndex: 1,
    mint,
    owner: WALLET,
    uiTokenAmount: { amount: String(amount), decimals: 6 },
  });
  return {
    slot: 1,
    transaction: {
      message: {
        header: { numRequiredSignatures: 1 },
        accountKeys: [WALLET, ACCOUNT, POOL, MEMO_PROGRAM],
        instructions: memo === undefined ? [] : [{ programIdIndex: 3, data: memo }],
      },
    },
    meta: {
      err: null,
      fee: FEE,
      preBalances: [solBefore, deposit < 0 ? -deposit : 0, 0, 1],
      postBalances: [solBefore + lamports - FEE - deposit, deposit > 0 ? deposit : 0, 0, 1],
      preTokenBalances: [balance(before)],
      postTokenBalances: [balance(after)],
    },
  };
}

/** SOL that somebody else sends to the wallet, and pays the fee for. */
export function aTransfer(lamports: number): Transaction {
  const swap = aSwap({ lamports, before: 0n, after: 0n });
  return {
    ...swap,
    transaction: { message: { ...swap.transaction.message, accountKeys: [POOL, WALLET] } },
    meta: {
      ...swap.meta,
      preBalances: [10_000_000_000, 0],
      postBalances: [10_000_000_000 - lamports - FEE, lamports],
      preTokenBalances: [],
      postTokenBalances: [],
    },
  };
}

/** 5 SOL of capital; bought 1000 tokens for 1 SOL, sold them for 1.5; bought 200 for 0.5. */
export function aWorld(): World {
  const swaps: Swap[] = [
    { signature: 'buy', lamports: -1_000_000_000, deposit: 2_000_000, before: 0n, after: 1_000_000_000n },
    { signature: 'sell', lamports: 1_500_000_000, before: 1_000_000_000n, after: 0n },
    { signature: 'buy-again', lamports: -500_000_000, before: 0n, after: 200_000_000n },
  ];
  const row = (id: number, extra: Partial<PublishedRow>): PublishedRow => ({
    id: String(id),
    time: id,
    kind: 'trade',
    side: 'buy',
    tokenContractAddress: MINT,
    tokenSymbol: 'FROG',
    tokenAmount: null,
    solAmount: '0',
    networkFee: '0.00001',
    txHash: null,
    nav: '1',
    ...extra,
  });
  const flow = { kind: 'flow', tokenContractAddress: null, tokenSymbol: null, networkFee: '0' } as const;
  const rows = [
    row(1, { ...flow, side: 'in', solAmount: '5' }),
    ...swaps.map(({ signature, lamports, before, after }, index) => {
      const tokens = after - before;
      return row(index + 2, {
        side: tokens > 0n ? 'buy' : 'sell',
        tokenAmount: printUnits(tokens > 0n ? tokens : -tokens, 6),
        solAmount: printUnits(BigInt(Math.abs(lamports)), 9),
        txHash: signature,
      });
    }),
  ];
  const vault = new Uint8Array(165);
  vault.set(decodeBase58(MINT));
  vault.set(decodeBase58(POOL), 32);
  new DataView(vault.buffer).setBigUint64(64, 800_000_000n, true);
  const world: Omit<World, 'fetch'> = {
    detail: {
      slug: 'frogs',
      name: 'Frogs',
      status: 'running',
      capitalAmount: '5',
      // 5 − 1 + 1.5 − 0.5 − 3 fees − deposit, deposit, and 200 of 1000 tokens into a pool of 2 SOL without a fee.
      equity: '5.39996',
      freeSol: '4.99797',
      yieldRate: '7.9992',
      maxDrawdown: '1.2',
      winRate: '100',
      closedTrades: 1,
      unsoldAtLoss: 1,
      positions: [{ tokenContractAddress: MINT, tokenSymbol: 'FROG', amount: '200', cost: '0.50001' }],
      verify: { wallet: WALLET },
    },
    rows,
    pools: [
      {
        tokenContractAddress: MINT,
        address: POOL,
        vault: VAULT,
        virtualSol: '0',
        virtualTokens: '0',
        rentReserve: '890880',
        feeBps: 0,
      },
    ],
    transactions: Object.fromEntries(swaps.map(({ signature, ...swap }) => [signature, aSwap(swap)])),
    accounts: {
      [POOL]: { lamports: 2_000_890_880, owner: '11111111111111111111111111111111', data: new Uint8Array() },
      [VAULT]: { lamports: 1, owner: TOKEN_PROGRAM, data: vault },
    },
    node: { batches: true, busyReplies: 0, error: null },
    requests: [],
  };
  return Object.assign(world, { fetch: answer.bind(null, world) });
}

async function answer(world: Omit<World, 'fetch'>, url: string, init?: { body: string }): ReturnType<Fetch> {
  const reply = (json: unknown, status = 200) => ({
    status,
    headers: { get: () => null },
    json: () => Promise.resolve(json),
  });
  const { pathname, searchParams } = new URL(url);
  const data = (value: unknown) => reply({ code: 200, msg: 'OK', data: value });
  if (pathname.endsWith('getStrategyDetail')) return data(world.detail);
  if (pathname.endsWith('getTokenPools')) return data({ lists: world.pools });
  if (pathname.endsWith('getStrategyTrades')) {
    const newest = world.rows.toReversed();
    const start = Number(searchParams.get('cursor') ?? 0);
    return data({
      lists: newest.slice(start, start + 2),
      nextCursor: start + 2 < newest.length ? String(start + 2) : null,
    });
  }
  if (world.node.busyReplies > 0) {
    world.node.busyReplies -= 1;
    return reply({}, 429);
  }
  const asked = JSON.parse(init!.body) as RpcCall | RpcCall[];
  const calls = Array.isArray(asked) ? asked : [asked];
  world.requests.push({ method: calls[0]!.method, batch: Array.isArray(asked) ? calls.length : 0 });
  if (Array.isArray(asked) && !world.node.batches) return reply({ error: { message: 'batches are not supported' } });
  const { error } = world.node;
  const answers = calls.map((call) =>
    error === null ? { id: call.id, result: resultOf(world, call) } : { id: call.id, error: { message: error } },
  );
  return reply(Array.isArray(asked) ? answers.toReversed() : answers[0]);
}

type RpcCall = { id: number; method: string; params: [string & string[]] };

function resultOf(world: Omit<World, 'fetch'>, { method, params }: RpcCall): unknown {
  if (method === 'getTransaction') return world.transactions[params[0]] ?? null;
  if (method === 'getSignaturesForAddress') {
    const newest = Object.keys(world.transactions).toReversed();
    return newest.map((signature) => ({ signature, slot: 1, err: null, blockTime: null }));
  }
  const accounts = params[0].map((address) => {
    const account = world.accounts[address];
    return account && { ...account, data: [Buffer.from(account.data).toString('base64'), 'base64'] };
  });
  return { value: accounts };
}
