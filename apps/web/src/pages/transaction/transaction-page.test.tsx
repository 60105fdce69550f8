// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { figure, show, tableRows, toneOfText } from '../../show-for-test.tsx';
import { toggleTheme } from '../../ui/theme.ts';
import { AddressView } from '../address/address-page.tsx';
import { TransactionView } from './transaction-page.tsx';

const ADDRESS = '8VjC7NgBdeSJyKBPNofLLikB2w2SUkgzn2fBWqKq8jQx';
const token = { tokenContractAddress: 'M', tokenSymbol: 'FROG', tokenLogoUrl: '/f.svg' };
const transaction: CallReply<'getChainTransaction'> = {
  signature: 'S',
  status: 'failed',
  confirmation: 'finalized',
  slot: 42,
  time: 0,
  error: { instruction: 2, reason: 'Custom 6001' },
  details: {
    fee: '0.000005',
    signers: [ADDRESS],
    solChanges: [{ address: ADDRESS, change: '-0.000005', after: '1.25' }],
    tokenChanges: [{ ...token, owner: ADDRESS, isPool: false, change: '1500.5', after: '2000' }],
    instructions: [
      { program: 'P', programName: null, name: null, amount: null, token: null, accounts: [], data: '8' },
      {
        program: 'Q',
        programName: 'System Program',
        name: 'Transfer',
        amount: '1.5',
        token: null,
        accounts: [],
        data: '',
      },
    ],
    memos: [{ text: 'hunter:a1:abc', kind: 'round' }],
    logs: ['one', 'two'],
  },
};

it('says how a transaction ended, what it cost, who has more and who has less', async () => {
  await show(<TransactionView signature="S" />, { replies: { getChainTransaction: transaction } });
  await screen.findByText('Failed');
  expect(figure('Reason')).toBe('Instruction 2: Custom 6001');
  expect(figure('Network fee')).toBe('0.000005 SOL');
  expect(await tableRows('SOL changes')).toMatchObject([{ Change: '-0.000005 SOL', 'Balance after': '1.25 SOL' }]);
  expect(await tableRows('Token changes')).toMatchObject([{ Token: 'FROG', Change: '+1,500.5' }]);
  expect([toneOfText('-0.000005 SOL'), toneOfText('+1,500.5')]).toEqual(['down', 'up']);
  expect(screen.getByText('Unknown program')).toBeTruthy();
  expect(screen.getByText('1.5 SOL')).toBeTruthy();
  expect(screen.getByText('Program log, 2 lines')).toBeTruthy();
});

it('opens the check of a copy in the language and theme of the page', async () => {
  await show(<TransactionView signature="S" />, { language: 'zh', replies: { getChainTransaction: transaction } });
  const link = await screen.findByRole('link', { name: '核验跟单' });
  expect(link.getAttribute('href')).toBe('/verify?lng=zh&theme=dark');
  act(toggleTheme);
  expect(link.getAttribute('href')).toBe('/verify?lng=zh&theme=light');
});

it('says that a transaction is not known, or that only its end is', async () => {
  const gone = { ...transaction, error: null, details: null, time: null };
  await show(<TransactionView signature="S" />, {
    replies: { getChainTransaction: { ...gone, status: 'unknown', confirmation: null, slot: null } },
  });
  expect(await screen.findByText('Not found')).toBeTruthy();
  expect(screen.getByText(/never landed, has not arrived yet, or is older/)).toBeTruthy();
});

it('says what an address is, and leads from a mint to its token’s page', async () => {
  const nothing = { programName: null, tokenAccount: null, mint: null, poolOf: null, tokens: [] };
  const mint = { ...token, supply: '1000000', decimals: 6, mintAuthority: null, freezeAuthority: ADDRESS };
  await show(<AddressView address="M" />, {
    replies: {
      getChainAddress: {
        ...nothing,
        address: 'M',
        kind: 'mint',
        sol: '0.0014616',
        program: { address: 'T', name: 'Token Program' },
        mint,
      },
      getChainSignatures: {
        lists: [{ signature: 'S'.repeat(80), slot: 7, time: null, failed: true, confirmation: 'finalized' }],
        nextCursor: null,
      },
    },
  });
  const way = await screen.findByRole('link', { name: 'Token page' });
  expect(way.getAttribute('href')).toBe('/token/M');
  expect(figure('Supply')).toBe('1,000,000');
  expect(figure('SOL balance')).toBe('0.0014616 SOL');
  expect(figure('Mint authority')).toBe('revoked');
  expect(await tableRows('Transactions')).toMatchObject([{ Result: 'Failed', Slot: '7', Hash: 'SSSS…SSSS' }]);
});
