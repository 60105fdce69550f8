// A strategy with many swaps in a wallet of its own, as a product and a node would tell of it: enough for the page /verify.
import type { CallReply } from '@hunter/contract/calls';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { encodeBase58 } from '@hunter/solana/base58';
import { allocationTree, type AllocationProof } from '../../apps/server/src/trading/rounds/allocation-tree.ts';
import { aSwap, MINT, WALLET } from '../../packages/verify/src/world-for-test.ts';

export type TradeRow = CallReply<'getStrategyTrades'>['lists'][number] & { allocation?: AllocationProof };
export type VerifyWorld = { rows: TradeRow[]; transactions: ReadonlyMap<string, string>; freeSol: string };

const CREATOR = '0196a1b2-c3d4-7e5f-8a9b-000000000001';
const SOL = 1_000_000_000n;
const FEE_SOL = '0.00001';
/** A follower beside the creator, with twice his input. */
const FOLLOW = '0196a1b2-c3d4-7e5f-8a9b-000000000002';
/** What a node adds to each transaction and a verifier does not read. */
const logMessages = Array.from({ length: 24 }, (_, line) => `Program log: line ${line} of what the programs wrote`);

/** Buys of 0.1 SOL for 100 tokens and sales for 0.11 SOL, in turn. */
export function aVerifyWorld(swaps: number): VerifyWorld {
  const flow = { id: '1', time: 1, kind: 'flow' as const, side: 'in' as const, solAmount: '5', networkFee: '0' };
  const nothing = { tokenContractAddress: null, tokenSymbol: null, tokenAmount: null, price: null, txHash: null };
  const rows: TradeRow[] = [{ ...flow, ...nothing, nav: '1' }];
  const transactions = new Map<string, string>();
  const tokens = 100_000_000n;
  for (let index = 0; index < swaps; index += 1) {
    const side = index % 2 === 0 ? ('buy' as const) : ('sell' as const);
    const signature = encodeBase58(createHash('sha512').update(String(index)).digest()).padEnd(86, '1');
    const own = side === 'buy' ? SOL / 10n : tokens;
    const tree = allocationTree({ wallet: WALLET, roundId: CREATOR, attempt: index + 1, side, mint: MINT }, [
      { followId: CREATOR, salt: new Uint8Array(32).fill(1), amountIn: own, reason: 0 },
      { followId: FOLLOW, salt: new Uint8Array(32).fill(2), amountIn: own * 2n, reason: 0 },
    ]);
    const [before, after] = side === 'buy' ? [0n, tokens * 3n] : [tokens * 3n, 0n];
    const memo = encodeBase58(Buffer.from(tree.memo));
    const lamports = side === 'buy' ? -300_000_000 : 330_000_000;
    const swap = aSwap({ lamports, before, after, memo, solBefore: 1_000_000_000_000 });
    transactions.set(signature, JSON.stringify({ ...swap, meta: { ...swap.meta, logMessages } }));
    rows.push({
      id: String(index + 2),
      time: index + 2,
      kind: 'trade',
      side,
      tokenContractAddress: MINT,
      tokenSymbol: 'FROG',
      tokenAmount: '100',
      solAmount: side === 'buy' ? '0.1' : '0.11',
      networkFee: FEE_SOL,
      price: null,
      txHash: signature,
      nav: '1',
      allocation: tree.proof(CREATOR),
    });
  }
  const lamports = 5n * SOL + (BigInt(swaps) / 2n) * (SOL / 100n) - BigInt(swaps) * 10_000n;
  const [whole, fraction] = [
    lamports / SOL,
    String(lamports % SOL)
      .padStart(9, '0')
      .replace(/0+$/, ''),
  ];
  return { rows, transactions, freeSol: fraction === '' ? String(whole) : `${whole}.${fraction}` };
}

type RpcCall = { id: number; method: string; params: [string, { before?: string }] };

/** A node that has these transactions and answers at once. */
export async function serveTransactions(
  transactions: ReadonlyMap<string, string>,
): Promise<{ url: string; stop: () => void }> {
  const newestFirst = [...transactions.keys()].reverse();
  const signatures = JSON.stringify(newestFirst.map((signature) => ({ signature, slot: 1, err: null })));
  const resultOf = ({ method, params }: RpcCall): string =>
    method === 'getTransaction'
      ? (transactions.get(params[0]) ?? 'null')
      : method === 'getSignaturesForAddress'
        ? params[1].before === undefined
          ? signatures
          : '[]'
        : '{"value":[]}';
  const answer = (call: RpcCall): string => `{"jsonrpc":"2.0","id":${call.id},"result":${resultOf(call)}}`;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      const asked = JSON.parse(text) as RpcCall | RpcCall[];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(Array.isArray(asked) ? `[${asked.map(answer).join(',')}]` : answer(asked));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
