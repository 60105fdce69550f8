import { LOCALNET_GENESIS_HASH } from '@hunter/solana/localnet-genesis';
import { expect, it, vi } from 'vitest';
import { refuseForeignChain } from './foreign-chain.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** A node that gives these answers in turn; null is silence. */
function node(...answers: (string | null)[]) {
  const refuse = vi.fn<(reason: string) => void>();
  const pause = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const getGenesisHash = vi.fn<() => Promise<string>>(() => {
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new Error('connection refused'));
  });
  const deps = { rpc: { getGenesisHash }, clock: { nowMs: () => 0, pause }, refuse };
  return { refuse, getGenesisHash, check: () => refuseForeignChain(deps) };
}

it('refuses a chain that is not a Hunter localnet before anything else starts', async () => {
  const { check, refuse } = node(MAINNET);
  await check();
  expect(refuse).toHaveBeenCalledExactlyOnceWith(
    `SOLANA_RPC_URL is not a Hunter localnet (its genesis hash is ${MAINNET}); Hunter cannot trade on other chains yet: name a localnet (npm run localnet starts one)`,
  );
});

it('accepts a Hunter localnet, wherever it runs', async () => {
  const { check, refuse, getGenesisHash } = node(LOCALNET_GENESIS_HASH);
  await check();
  expect(refuse).not.toHaveBeenCalled();
  expect(getGenesisHash).toHaveBeenCalledOnce();
});

it('asks a silent node again until it answers, without holding up the start', async () => {
  const { check, refuse, getGenesisHash } = node(null, null, MAINNET);
  await check();
  expect(refuse).not.toHaveBeenCalled();
  await expect.poll(() => refuse).toHaveBeenCalledOnce();
  expect(getGenesisHash).toHaveBeenCalledTimes(3);
});
