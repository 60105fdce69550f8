import { expect, it } from 'vitest';
import { recompute } from './recompute.ts';
import type { ProofTransaction } from './recompute.ts';

const MINT = 'Mint';

function aTrade(slot: number, tokens: string, sol: string, wallet = 'Ann'): ProofTransaction {
  return {
    signature: `sig${slot}`,
    status: 'success',
    confirmation: 'finalized',
    slot,
    time: slot * 1_000,
    error: null,
    details: {
      fee: '0.000005',
      signers: [wallet, 'Pool'],
      solChanges: [
        { address: 'Pool', change: '1', after: '1' },
        { address: wallet, change: sol, after: '1' },
      ],
      tokenChanges: [
        { owner: 'Pool', tokenContractAddress: MINT, tokenSymbol: null, tokenLogoUrl: null, change: '-1', after: '0' },
        {
          owner: wallet,
          tokenContractAddress: MINT,
          tokenSymbol: null,
          tokenLogoUrl: null,
          change: tokens,
          after: '0',
        },
      ],
      instructions: [],
      memos: [],
      logs: [],
    },
  };
}

it('recomputes entry, result and what is left from the chain, whatever the order in the link', () => {
  const result = recompute([aTrade(3, '-150', '2.4'), aTrade(1, '100', '-1'), aTrade(2, '100', '-2')], MINT);
  expect(result).toMatchObject({
    wallet: 'Ann',
    bought: '200',
    sold: '150',
    left: '50',
    paid: '3',
    received: '2.4',
    entryPrice: '0.015',
    realized: '0.15',
    realizedPercent: '6.6667',
  });
});

it('takes the average cost at the time of each sale', () => {
  const result = recompute([aTrade(1, '100', '-1'), aTrade(2, '-100', '2'), aTrade(3, '100', '-4')], MINT);
  expect(result).toMatchObject({ realized: '1', realizedPercent: '100', left: '100' });
});

it('reckons no result where nothing was sold, or only what came from elsewhere', () => {
  expect(recompute([aTrade(1, '100', '-1')], MINT)).toMatchObject({ realized: null, entryPrice: '0.01' });
  expect(recompute([aTrade(1, '-100', '1')], MINT)).toMatchObject({ realized: null, entryPrice: null });
});

it.each([
  ['missing', { ...aTrade(1, '1', '-1'), status: 'failed' as const }],
  ['missing', { ...aTrade(1, '1', '-1'), status: 'pruned' as const, details: null }],
  ['no-trade', aTrade(1, '0', '-1')],
] as const)('says %s instead of a figure that is not proven', (problem, transaction) => {
  expect(recompute([transaction], MINT)).toBe(problem);
});

it('does not add up trades of different wallets', () => {
  expect(recompute([aTrade(1, '1', '-1'), aTrade(2, '1', '-1', 'Bob')], MINT)).toBe('other-wallet');
});
