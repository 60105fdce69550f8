import { Keypair } from '@hunter/solana/keypair';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { ChainReadLimit } from '../chain-read-limit.ts';
import type { Caller } from '../handlers.ts';
import { explorerHandlers } from './explorer.ts';

const caller = { address: '203.0.113.7', requestId: 'r' } as Caller;
const [wallet, mint, account] = [Keypair.generate().address, Keypair.generate().address, Keypair.generate().address];

function explorer(rpc: Partial<RpcClient>) {
  return explorerHandlers({
    rpc: rpc as RpcClient,
    limit: new ChainReadLimit(systemClock),
    tokens: { get: () => undefined, ofPool: () => undefined } as never,
    isRoundSwap: async () => false,
    log: createLog('silent'),
  });
}

it('names the field of a signature that is none, and asks the node for nothing', async () => {
  const { getChainTransaction, getChainSignatures } = explorer({});
  const short = '1'.repeat(70);
  const refused = (field: string) => ({ errorName: 'INVALID_INPUT', context: { field, reason: 'format' } });
  await expect(async () => getChainTransaction({ signature: short }, caller)).rejects.toMatchObject(
    refused('signature'),
  );
  await expect(async () =>
    getChainSignatures({ address: wallet, cursor: short, limit: 5 }, caller),
  ).rejects.toMatchObject(refused('cursor'));
});

it('shows what a wallet without SOL holds', async () => {
  const held = { address: account, lamports: 0n, tokenProgram: TOKEN_PROGRAM, mint, owner: wallet, amount: 5n };
  const { getChainAddress } = explorer({
    getParsedAccountInfo: async () => ({ value: null, contextSlot: 1n }),
    getTokenAccountsByOwner: async (_owner, filter) => ({
      value:
        'programId' in filter && filter.programId === TOKEN_PROGRAM
          ? [{ ...held, decimals: 0, state: 'initialized' }]
          : [],
      contextSlot: 1n,
    }),
  });
  expect(await getChainAddress({ address: wallet }, caller)).toMatchObject({
    kind: 'wallet',
    sol: '0',
    tokens: [{ tokenContractAddress: mint, amount: '5' }],
  });
});
