import { expect, it } from 'vitest';
import { recompute } from './recompute.ts';
import type { ProofTransaction } from './recompute.ts';

const MINT = 'Mint';
const poolChange = (tokens: string): string => (tokens.startsWith('-') ? tokens.slice(1) : `-${tokens}`);

const tokensOf = (owner: string, change: string) => ({
  owner,
  isPool: owner === 'Pool',
  change,
  after: '0',
  tokenContractAddress: MINT,
  tokenSymbol: null,
  tokenLogoUrl: null,
});

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
        { address: 'Pool', change: tokens.startsWith('-') ? '-1' : '1', after: '1' },
        { address: wallet, change: sol, after: '1' },
      ],
      tokenChanges: [tokensOf('Pool', poolChange(tokens)), tokensOf(wallet, tokens)],
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

it('counts a sale whose fees took more than it brought as a loss', () => {
  const result = recompute([aTrade(1, '100', '-1'), aTrade(2, '-100', '-0.002')], MINT);
  expect(result).toMatchObject({ received: '-0.002', realized: '-1.002', realizedPercent: '-100.2' });
});

it('counts no profit on tokens that came from elsewhere, also where they are sold with bought ones', () => {
  const bought = aTrade(1, '100', '-1');
  expect(recompute([bought, aTrade(2, '-1000', '10')], MINT)).toMatchObject({
    received: '10',
    realized: '0',
    realizedPercent: '0',
    left: '0',
  });
  expect(recompute([bought, aTrade(2, '-100', '2'), aTrade(3, '-900', '9')], MINT)).toMatchObject({
    received: '11',
    realized: '1',
    realizedPercent: '100',
  });
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

const changed = (trade: ProofTransaction, changes: Partial<NonNullable<ProofTransaction['details']>>) => ({
  ...trade,
  details: { ...trade.details!, ...changes },
});
const solOf = (address: string, change: string) => ({ address, change, after: '1' });

it('takes no transfer between wallets for a trade, in whatever direction and whoever pays for it', () => {
  const bought = aTrade(1, '100', '-0.000005');
  const received = { signers: ['Ann', 'Second'], tokenChanges: [tokensOf('Ann', '100'), tokensOf('Second', '-100')] };
  expect(recompute([changed(bought, { ...received, solChanges: [solOf('Ann', '-0.000005')] })], MINT)).toBe('no-trade');
  const gifts = [solOf('Ann', '-0.000005'), solOf('Second', '-1')];
  expect(recompute([changed(bought, { ...received, solChanges: gifts })], MINT)).toBe('no-trade');
  const sent = { tokenChanges: [tokensOf('Ann', '-100'), tokensOf('Second', '100')] };
  const fee = { solChanges: [solOf('Ann', '-0.000005')] };
  expect(recompute([changed(aTrade(1, '-100', '-0.000005'), { ...sent, ...fee })], MINT)).toBe('no-trade');
});

it('takes no trade with another wallet at a price of their own for one', () => {
  const [paid, got] = [solOf('Ann', '-0.01'), solOf('Second', '0.01')];
  const tokenChanges = [tokensOf('Ann', '100'), tokensOf('Second', '-100')];
  const details = { signers: ['Ann', 'Second'], tokenChanges, solChanges: [paid, got] };
  expect(recompute([changed(aTrade(1, '100', '-0.01'), details)], MINT)).toBe('no-trade');
});

it('takes no swap to which another wallet adds tokens or SOL', () => {
  const bought = aTrade(1, '100', '-1');
  const withTokens = [...bought.details!.tokenChanges, tokensOf('Second', '-50')];
  expect(recompute([changed(bought, { tokenChanges: withTokens })], MINT)).toBe('no-trade');
  const signers = ['Ann', 'Pool', 'Second'];
  const withSol = [...bought.details!.solChanges, solOf('Second', '-5')];
  expect(recompute([changed(bought, { signers, solChanges: withSol })], MINT)).toBe('no-trade');
});

it('leaves out the rent of the token account, unless somebody else gave SOL too', () => {
  const trade = aTrade(1, '100', '-1.002');
  const withAccount = (...others: { address: string; change: string; after: string }[]): ProofTransaction => ({
    ...trade,
    details: {
      ...trade.details!,
      solChanges: [...trade.details!.solChanges, { address: 'Account', change: '0.002', after: '0.002' }, ...others],
      instructions: [
        {
          program: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
          programName: null,
          name: 'CreateIdempotent',
          amount: null,
          token: null,
          accounts: ['Ann', 'Account', 'Ann', MINT],
          data: '',
        },
      ],
    },
  });
  expect(recompute([withAccount()], MINT)).toMatchObject({ paid: '1', entryPrice: '0.01' });
  const helped = withAccount({ address: 'Bob', change: '-0.002', after: '0' });
  expect(recompute([helped], MINT)).toMatchObject({ paid: '1.002', entryPrice: '0.01002' });
});
