import { randomUUID } from 'node:crypto';
import { lamports } from '@hunter/domain/numbers/lamports';
import { Keypair } from '@hunter/solana/keypair';
import { expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { postEntries, SOL as ASSET } from '../ledger/journal.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { TradingWorld } from '../trading/world-for-test.ts';
import { loadFrozenBooks } from '../treasury/transfers/transfer-store.ts';
import { WithdrawalSignerClient } from '../treasury/withdrawal-signer.ts';
import type { Withdrawal } from '../treasury/withdrawal.ts';
import { beginClosing } from './cancel-follow.ts';
import { createStrategy } from './create-strategy.ts';
import { loadFollowById } from './follow-store.ts';
import { followStrategy } from './follow-strategy.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { passUntilClosed, strategiesOn } from './strategies-for-test.ts';

const SOL = 1_000_000_000n;

let world: TradingWorld;

useTradingWorld((started) => {
  world = started;
});

it('leaves a follow alone whose rest is offered again later', async () => {
  const deps = strategiesOn(world);
  const [creator, follower] = await world.traders(2, 20n * SOL);
  const plan = { name: 'Rests', description: '', capital: lamports(10n * SOL), coins: [], autoClear: true };
  const { strategy } = await createStrategy(deps, creator!.userId, plan, 'rests');
  const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(5n * SOL), multiplier: '1' };
  const follow = await followStrategy(deps, follower!.userId, request, 'rests');
  await beginClosing(deps, strategy.id, [{ follow, by: 'follower' }]);
  const offerAgain = (when: string) =>
    world.database.write(`update follow set close_not_before = now() + $2::interval where id = $1`, [follow.id, when]);
  const turns = vi.spyOn(deps.lanes, 'run');

  await offerAgain('1 hour');
  await new StrategyLifecycle(deps).pass();
  expect(turns).not.toHaveBeenCalled();

  await offerAgain('-1 second');
  await passUntilClosed(deps, strategy.id);
  expect(turns).toHaveBeenCalled();
});

it('keeps what is too little to open an emptied wallet, so that the others have theirs', async () => {
  const deps = strategiesOn(world);
  const { database, rpc, signer } = world;
  const [creator, poor, other] = await world.traders(3, 20n * SOL);
  const plan = { name: 'Emptied', description: '', capital: lamports(10n * SOL), coins: [], autoClear: true };
  const { strategy } = await createStrategy(deps, creator!.userId, plan, 'emptied');
  const follows = await Promise.all(
    [poor!, other!].map(({ userId }) =>
      followStrategy(
        deps,
        userId,
        { slug: strategy.slug, mode: 'sol', amount: lamports(SOL), multiplier: '1' },
        'emptied',
      ),
    ),
  );
  const [lost, kept] = follows;
  const frozen = () => loadFrozenBooks(database, [lost!.bookId, kept!.bookId]);
  await vi.waitFor(async () => expect((await frozen()).size).toBe(0), { timeout: 60_000, interval: 100 });
  const move = (kind: 'move-sol' | 'external-out' | 'deposit', bookId: string, to: string | null, amount: bigint) => {
    const from = { bookId, account: 'cash', asset: ASSET, amount: -amount } as const;
    const target = { asset: ASSET, amount } as const;
    const into =
      to === null
        ? ({ bookId: null, account: 'external', ...target } as const)
        : ({ bookId: to, account: 'cash', ...target } as const);
    return postEntries(database, [{ kind, reference: randomUUID(), postings: [from, into] }]);
  };
  const rest = 500_000n;
  await move('move-sol', lost!.bookId, strategy.bookId, (await loadCash(database, lost!.bookId, ASSET)) - rest);
  const amount = (await loadCash(database, poor!.bookId, ASSET)) - 5_000n;
  const withdrawal = {
    id: randomUUID(),
    userId: poor!.userId,
    fromAddress: poor!.address,
    toAddress: Keypair.generate().address,
    asset: ASSET,
    amount,
    tokenProgram: null,
    rentLamports: 0n,
  } as unknown as Withdrawal;
  const { blockhash } = await rpc.getLatestBlockhash();
  const proof = { password: 'correct horse battery' };
  const signed = await new WithdrawalSignerClient(database, signer).sign(withdrawal, blockhash, proof);
  if (signed.kind !== 'signed') throw new Error(signed.kind);
  await rpc.sendTransaction(signed.wire);
  const chainHas = async () => (await rpc.getBalance(poor!.address)).value;
  await vi.waitFor(async () => expect(await chainHas()).toBe(0n), { timeout: 30_000, interval: 100 });
  await move('external-out', poor!.bookId, null, amount + 5_000n);

  await beginClosing(
    deps,
    strategy.id,
    follows.map((follow) => ({ follow, by: 'follower' as const })),
  );
  const statusOf = async ({ id }: { id: string }) => (await loadFollowById(database, id)).status;
  await vi.waitFor(
    async () => {
      await new StrategyLifecycle(deps).pass();
      expect(await statusOf(kept!)).toBe('closed');
    },
    { timeout: 30_000, interval: 300 },
  );
  expect(await statusOf(lost!)).toBe('closing');
  expect(await loadCash(database, lost!.bookId, ASSET)).toBe(rest);

  await rpc.requestAirdrop(poor!.address, SOL);
  await move('deposit', poor!.bookId, null, -SOL);
  await database.write(`update follow set close_not_before = now() where id = $1`, [lost!.id]);
  await passUntilClosed(deps, strategy.id);
  expect(await chainHas()).toBe(SOL + rest - 5_000n);
});
