// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../show-for-test.tsx';
import { Address } from './address.tsx';
import { explorerHref } from './explorer-link.tsx';
import { TxHash } from './tx-hash.tsx';

const HASH = '5'.repeat(88);
const ADDRESS = '8VjC7NgBdeSJyKBPNofLLikB2w2SUkgzn2fBWqKq8jQx';
const config: CallReply<'getConfig'> = {
  mode: 'local',
  chainId: '501_1',
  simulatedMarket: true,
  inviteCode: null,
  mailboxPath: null,
  explorerUrl: null,
  defaultSlippageBps: 100,
  maxSlippageBps: 5000,
};

describe('a hash or an address', () => {
  it('leads to the product’s own explorer, a trader’s to the wallet’s page, each with a button that copies it', async () => {
    await show(
      <>
        <TxHash hash={HASH} />
        <Address address={ADDRESS} />
        <Address address={ADDRESS} name="Whale" wallet />
      </>,
      { replies: { getConfig: config } },
    );
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toEqual([
      ['5555…5555', `/tx/${HASH}`],
      ['8VjC…8jQx', `/address/${ADDRESS}`],
      ['Whale', `/wallet/${ADDRESS}`],
    ]);
    expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Copy transaction hash 5555…5555',
      'Copy address 8VjC…8jQx',
      'Copy address 8VjC…8jQx',
    ]);
  });

  it('is a dash where there is no transaction', async () => {
    await show(<TxHash hash={null} />);
    expect(screen.getByText('-')).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('leads outside where the installation names an explorer', () => {
    const outside = 'https://explorer.example/{kind}/{id}?cluster=devnet';
    expect(explorerHref(outside, { kind: 'tx', id: 'S1' })).toBe('https://explorer.example/tx/S1?cluster=devnet');
    expect(explorerHref(outside, { kind: 'address', id: 'A1' })).toBe(
      'https://explorer.example/address/A1?cluster=devnet',
    );
  });
});
