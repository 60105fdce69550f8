// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { session } from '../../data/session.ts';
import { show, toneOfText } from '../../show-for-test.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { DiscoverToken } from './discover-token.ts';
import { FirstBuyDialog } from './quick-buy-dialogs.tsx';
import { readQuickBuy } from './quick-buy-settings.ts';
import { placeQuickBuy } from './quick-buy.ts';
import { useQuickBuy } from './use-quick-buy.ts';
import { BuysAndSells, Change, QuickBuyButtons, Star } from './token-parts.tsx';
import { WhoHolds } from './who-holds.tsx';

const token = (changes: Partial<DiscoverToken> = {}): DiscoverToken => ({
  tokenContractAddress: 'Mint',
  tokenLogoUrl: '/a.svg',
  tokenName: 'Alpha',
  tokenSymbol: 'ALPHA',
  price: '0.25',
  change: '9',
  marketCap: '3000000',
  liquidity: '44000',
  holders: 12,
  volume: '7000',
  periodChange: '5',
  changeSinceLaunch: '250',
  buys: 3,
  sells: 1,
  trend: [],
  risk: 'ok',
  createdAt: 0,
  creator: null,
  top10: '51.5',
  creatorShare: '6',
  creatorTokens: 2,
  snipers: { wallets: 3, share: '1.25' },
  bundlers: null,
  insiders: { wallets: 0, share: '0' },
  freshWallets: null,
  provenTraders: 4,
  fees: '0.5',
  stage: null,
  curve: null,
  graduatedAt: null,
  links: null,
  ...changes,
});
const actions = { watch: vi.fn(), buy: vi.fn(), amounts: ['0.1', '0.5', '1'], slippageText: '1' };

it('says who holds a token in whole words, and "unknown" for what is not known', async () => {
  await show(<WhoHolds token={token()} />);
  const said = screen.getAllByRole('img').map((each) => [each.textContent, each.getAttribute('aria-label')]);
  expect(said).toEqual([
    ['T 52%', 'Top 10: 51.50%'],
    ['D 6%', 'Dev share: 6.00%'],
    ['N 2', 'Dev’s other tokens: 2'],
    ['S 1%', 'Snipers: 1.25% · 3 wallets'],
    ['B ?', 'Bundlers: unknown'],
    ['I 0%', 'Insiders: 0.00% · 0 wallets'],
    ['F ?', 'Fresh wallets: unknown'],
    ['P 4', 'Proven traders: 4'],
  ]);
  expect(toneOfText('T 52%')).toBe('down');
  expect(toneOfText('S 1%')).toBeNull();
});

it('shows the change since launch of a token that is younger than the period', async () => {
  await show(<Change token={token({ periodChange: null })} period="4h" />);
  expect(screen.getByText('+250.00%')).toBeTruthy();
  expect(screen.getByText('since launch')).toBeTruthy();
});

it('shows buys and sells, and a dash for what is not on record', async () => {
  await show(
    <>
      <BuysAndSells token={token()} />
      <p>
        <BuysAndSells token={token({ buys: null, sells: null })} />
      </p>
    </>,
  );
  expect(screen.getByRole('img').textContent).toBe('3 / 1');
  expect(screen.getByRole('paragraph').textContent).toBe('-');
});

it('offers the amounts of a quick buy, and none while one is under way', async () => {
  await show(
    <>
      <QuickBuyButtons token={token()} actions={actions} pending={null} />
      <QuickBuyButtons token={token({ tokenSymbol: 'BETA' })} actions={actions} pending="0.5" />
    </>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Buy ALPHA for 0.5\u00A0SOL' }));
  expect(actions.buy).toHaveBeenCalledWith(expect.objectContaining({ tokenSymbol: 'ALPHA' }), '0.5');
  const busy = screen.getByRole('button', { name: 'Buy BETA for 1\u00A0SOL' });
  expect(busy.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(busy);
  expect(actions.buy).toHaveBeenCalledOnce();
  busy.focus();
  expect(document.activeElement).toBe(busy);
});

const order = {
  id: '1',
  status: 'confirmed',
  txHash: '5Kd9aaaaaaaaaaaaaaaaaa1234',
  tokenContractAddress: 'Mint',
  side: 'buy',
  bookId: 'b',
  bookKind: 'personal',
  amountIn: '0.5',
  amountOut: '1234.5',
  price: '0.0004',
  fee: '0.0025',
  error: null,
  createdAt: 0,
} as const;

it('tells what was bought with the hash of its transaction', async () => {
  await show(<p />, { replies: { tokenTransfer: order } });
  await act(() => placeQuickBuy({ address: 'Mint', symbol: 'ALPHA' }, '0.5', 100));
  const told = toast.store.getState().toasts.at(-1);
  expect(told?.text).toBe('Bought 1.23K\u00A0ALPHA for 0.5000\u00A0SOL · 5Kd9…1234');
  expect(told?.action?.label).toBe('Copy hash');
});

it('asks and tells nothing more of a purchase once its owner has logged out', async () => {
  await show(<p />, { replies: { tokenTransfer: { ...order, status: 'sent' }, getOrder: order } });
  vi.useFakeTimers();
  const bought = placeQuickBuy({ address: 'Mint', symbol: 'ALPHA' }, '0.5', 100);
  await vi.advanceTimersByTimeAsync(1_000);
  const told = () => toast.store.getState().toasts.map(({ text }) => text);
  expect(told()).toContain('Order sent, awaiting confirmation');
  for (const { id } of toast.store.getState().toasts) toast.dismiss(id);
  session.clear();
  session.setUser({ token: 'other', email: 'bob@example.com' });
  await vi.advanceTimersByTimeAsync(2_000);
  await bought;
  vi.useRealTimers();
  expect(told()).toEqual([]);
  expect(vi.mocked(fetch).mock.calls.filter(([url]) => (url as string).includes('getOrder'))).toEqual([]);
});

function Buyer({ account }: { account: string }) {
  const { buy, first, confirmFirst } = useQuickBuy(account, 100, () => {});
  return (
    <>
      <button type="button" onClick={() => buy(token(), '0.5')}>
        buy
      </button>
      {first && (
        <button type="button" onClick={confirmFirst}>
          turn on
        </button>
      )}
    </>
  );
}

it('asks each account once before a click buys, also where another one of this browser was asked', async () => {
  const bought = () => vi.mocked(fetch).mock.calls.filter(([url]) => (url as string).includes('tokenTransfer')).length;
  await show(<Buyer account="ann@example.com" />);
  fireEvent.click(screen.getByRole('button', { name: 'buy' }));
  expect(bought()).toBe(0);
  fireEvent.click(screen.getByRole('button', { name: 'turn on' }));
  expect(bought()).toBe(1);
  cleanup();
  await show(<Buyer account="ann@example.com" />);
  fireEvent.click(screen.getByRole('button', { name: 'buy' }));
  expect(screen.queryByRole('button', { name: 'turn on' })).toBeNull();
  cleanup();
  await show(<Buyer account="bob@example.com" />);
  fireEvent.click(screen.getByRole('button', { name: 'buy' }));
  expect(bought()).toBe(0);
  expect(screen.getByRole('button', { name: 'turn on' })).toBeTruthy();
});

it('asks an account that another tab logged in while the page was open', async () => {
  function Switching() {
    const [account, setAccount] = useState('eve@example.com');
    return (
      <>
        <Buyer account={account} />
        <button type="button" onClick={() => setAccount('dan@example.com')}>
          switch
        </button>
      </>
    );
  }
  await show(<Switching />);
  fireEvent.click(screen.getByRole('button', { name: 'buy' }));
  fireEvent.click(screen.getByRole('button', { name: 'turn on' }));
  fireEvent.click(screen.getByRole('button', { name: 'switch' }));
  fireEvent.click(screen.getByRole('button', { name: 'buy' }));
  expect(screen.getByRole('button', { name: 'turn on' })).toBeTruthy();
});

it('says whether a token is watched, and changes it', async () => {
  await show(<Star token={token()} watched={false} actions={actions} />);
  const star = screen.getByRole('button', { name: 'Watch ALPHA' });
  expect(star.getAttribute('aria-pressed')).toBe('false');
  fireEvent.click(star);
  expect(actions.watch).toHaveBeenCalledWith(expect.anything(), true);
});

it('warns before quick buys with a slippage at which one can be sandwiched', async () => {
  const nothing = () => {};
  const first = (slippageText: string) => (
    <FirstBuyDialog symbol="ALPHA" amount="0.5" slippageText={slippageText} onConfirm={nothing} onClose={nothing} />
  );
  await show(first('5'));
  expect(screen.queryByText('Above 5% you can be sandwiched.')).toBeNull();
  await show(first('20'));
  expect(screen.getByText('Above 5% you can be sandwiched.')).toBeTruthy();
});

it('keeps the usual amounts where the stored ones cannot be used', () => {
  const stored = (text: string) => ({ getItem: () => text });
  expect(readQuickBuy(stored('{"amounts":["0.2","2","5"],"armed":true}'), 'ann')).toEqual({
    amounts: ['0.2', '2', '5'],
    armed: true,
  });
  expect(readQuickBuy(stored('{"amounts":["0.2","-2","5"]}'), 'ann').amounts).toEqual(['0.1', '0.5', '1']);
  expect(readQuickBuy(stored('broken'), 'ann').amounts).toEqual(['0.1', '0.5', '1']);
});
