/**
 * A thousand withdrawals at the same moment, worth five times what a day allows: what leaves the wallet never passes the
 * limit, and the books agree with the chain to the lamport. Then a hundred posts of one withdrawal under one key: one
 * effect. Takes the number of withdrawals and of repeated posts.
 */
import { randomUUID } from 'node:crypto';
import { address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { RpcClient } from '@hunter/solana/rpc-client';
import { ask, insist, type ProductUser, registerUser, until, untilFunded } from '../../scripts/product-client.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withProduct } from './running-product.ts';

const LIMIT_SOL = 2;
const LAMPORTS_PER_SOL = 1_000_000_000n;
const ANSWER_MS = 600_000;

export default async function proveWithdrawalFlood([
  count = '1000',
  repeats = '100',
]: readonly string[]): Promise<Figures> {
  const environment = {
    SIMULATED_STRATEGIES: 'off',
    SIGNER_DAILY_LIMIT_SOL: String(LIMIT_SOL),
    SIGNER_LARGE_SOL: '1000',
  };
  return withProduct(environment, async ({ endpoints }) => {
    const rpc = new RpcClient({ url: endpoints.rpc, timeoutMs: 60_000 });
    const flood = await atOnce(endpoints.web, rpc, Number(count));
    const repeated = await underOneKey(endpoints.web, rpc, Number(repeats));
    rpc.close();
    return {
      withdrawals: Number(count),
      limitSol: LIMIT_SOL,
      ...flood,
      repeated,
      ok:
        flood.paidLamports <= BigInt(LIMIT_SOL) * LAMPORTS_PER_SOL &&
        flood.paidLamports > 0n &&
        flood.booksLessChain === 0n &&
        repeated.effects === 1 &&
        repeated.booksLessChain === 0n,
    };
  });
}

async function atOnce(web: string, rpc: RpcClient, count: number) {
  const user = await registerUser(web, `flood-${randomUUID()}@example.com`);
  await untilFunded(web, user);
  const toWallet = Keypair.generate().address;
  // All of them together come to five times the limit. Each is a lamport larger than the one before: equal ones would
  // have to wait for a blockhash each.
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const amount = ((LIMIT_SOL * 5) / count + index / Number(LAMPORTS_PER_SOL)).toFixed(9);
      return withdraw(web, user, toWallet, amount, randomUUID());
    }),
  );
  await untilNothingIsOpen(web, user);
  const { value: paidLamports } = await rpc.getBalance(toWallet, 'finalized');
  return { answers: countsOf(answers), paidLamports, booksLessChain: await booksLessChain(web, rpc, user) };
}

async function underOneKey(web: string, rpc: RpcClient, count: number) {
  const user = await registerUser(web, `repeat-${randomUUID()}@example.com`);
  await untilFunded(web, user);
  const toWallet = Keypair.generate().address;
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: count }, () => withdraw(web, user, toWallet, '0.5', key)));
  await untilNothingIsOpen(web, user);
  const { value: paid } = await rpc.getBalance(toWallet, 'finalized');
  return {
    posts: count,
    answers: countsOf(answers),
    effects: Number(paid) / (Number(LAMPORTS_PER_SOL) / 2),
    booksLessChain: await booksLessChain(web, rpc, user),
  };
}

async function withdraw(web: string, user: ProductUser, toWallet: string, amount: string, key: string) {
  const request = { toWallet, amount, password: user.password };
  const { code, data } = await ask(web, 'withdrawal', request, {
    token: user.token,
    idempotencyKey: key,
    timeoutMs: ANSWER_MS,
  });
  return code === 200 ? 'OK' : String(data['error']);
}

async function untilNothingIsOpen(web: string, user: ProductUser): Promise<void> {
  const open = new Set(['held', 'sent', 'confirmed']);
  await until(
    async () => {
      const statuses: string[] = [];
      for (let pageNo = 1; ; pageNo += 1) {
        const page = { pageNo, pageSize: 100 };
        const { lists } = (await insist(web, 'getMyWithdrawals', page, { token: user.token })) as {
          lists: { status: string }[];
        };
        statuses.push(...lists.map(({ status }) => status));
        if (lists.length < page.pageSize) break;
      }
      return statuses.every((status) => !open.has(status));
    },
    'all withdrawals to end',
    ANSWER_MS,
  );
}

async function booksLessChain(web: string, rpc: RpcClient, user: ProductUser): Promise<bigint> {
  const { walletInfo } = (await insist(web, 'myWallet', {}, { token: user.token })) as {
    walletInfo: { tokenBalance: string };
  };
  const [whole = '0', fraction = ''] = walletInfo.tokenBalance.split('.');
  const books = BigInt(whole) * LAMPORTS_PER_SOL + BigInt(fraction.padEnd(9, '0'));
  const { value: chain } = await rpc.getBalance(address(user.address), 'finalized');
  return books - chain;
}

function countsOf(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}
