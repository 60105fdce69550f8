// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { figure, show, tableRows, toneOfText } from '../../show-for-test.tsx';
import type { Replies } from '../../show-for-test.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { toast } from '../../ui/toast-store.ts';
import CancelDialog from './cancel-dialog.tsx';
import FollowDialog from './follow-dialog.tsx';
import type { Follow } from './follow-sum.ts';
import { FollowsTable } from './follows-table.tsx';
import FundsDialog from './funds-dialog.tsx';
import { MyFollowCard } from './my-follow-card.tsx';
import { ReceiptsTable } from './receipts-table.tsx';
import { useMyFollows } from './use-my-follows.ts';

const follow: Follow = {
  id: '1',
  slug: 'alpha',
  strategyName: 'Alpha',
  mode: 'sol',
  status: 'active',
  amount: '10',
  multiplier: '1',
  bookId: 'b',
  equity: '8.5',
  pnl: '-1.5',
  changeRate: '-15',
  openTime: 0,
  closeTime: null,
  progress: { done: 1, total: 3 },
  paused: false,
  protection: { runUpLimit: '3', coinCap: '50', capPerTrade: null, stopLoss: '40', takeProfit: null },
  closedBy: null,
  notBought: [],
  joinUntil: null,
};

function MyFollows() {
  return <FollowsTable follows={useMyFollows()} />;
}

it('shows what was invested, what it is worth and the result of each follow', async () => {
  const lists = [
    follow,
    { ...follow, id: '2', mode: 'position' as const, status: 'closing' as const, pnl: '2', changeRate: '20' },
    { ...follow, id: '3', status: 'closed' as const, closeTime: 1, equity: null, pnl: null, changeRate: null },
  ];
  await show(<MyFollows />, { replies: { getMyFollows: { lists, total: 3, pageNo: 1, pageSize: 50 } } });
  expect(await tableRows('My follows')).toMatchObject([
    { State: 'Active', Invested: '10.00 SOL', 'Current value': '8.50 SOL', PnL: '-15.00%-1.50 SOL' },
    { State: 'Closing1 of 3', PnL: '+20.00%+2.00 SOL', 'Cancel follow': '' },
    { State: 'Closed', 'Current value': '-', PnL: '--' },
  ]);
  const onPhones = screen.getAllByTestId('on-phones').map((each) => each.textContent);
  expect(onPhones).toEqual(['8.50 SOL', '8.50 SOL · Closing', '- · Closed']);
  expect(toneOfText('-1.50 SOL')).toBe('down');
  expect(toneOfText('+20.00%')).toBe('up');
});

it('shows what a follow has given back, without which the others do not add up', async () => {
  const reduced = { ...follow, equity: '7.25' };
  await show(<MyFollowCard follow={reduced} onCancel={() => {}} />);
  expect([figure('Invested'), figure('Current value'), figure('Returned'), figure('PnL')]).toEqual([
    '10.00 SOL',
    '7.25 SOL',
    '1.25 SOL',
    '-1.50 SOL',
  ]);
  const lists = [reduced, { ...follow, id: '2' }];
  await show(<MyFollows />, { replies: { getMyFollows: { lists, total: 2, pageNo: 1, pageSize: 50 } } });
  expect(await tableRows('My follows')).toMatchObject([
    { 'Current value': '7.25 SOL1.25\u00A0SOL returned' },
    { 'Current value': '8.50 SOL' },
  ]);
});

it('shows the own follow beside the strategy', async () => {
  await show(<MyFollowCard follow={{ ...follow, mode: 'position', multiplier: '0.5' }} onCancel={() => {}} />);
  expect(toneOfText('-15.00%')).toBe('down');
  expect(figure('Mode')).toBe('By position, × 0.5');
  expect(figure('Invested')).toBe('10.00 SOL');
  expect(figure('Current value')).toBe('8.50 SOL');
  expect(figure('PnL')).toBe('-1.50 SOL');
  expect(toneOfText('-1.50 SOL')).toBe('down');
});

it.each([
  ['opening', 'Buying: 1 of 3', '买入中：1 / 3'],
  ['closing', '1 of 3 sold', '已卖出 1 / 3'],
] as const)('says how far a follow that is %s has come', async (status, en, zh) => {
  await show(<MyFollowCard follow={{ ...follow, status }} onCancel={() => {}} />);
  expect(screen.getByText(en)).toBeTruthy();
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1');
  await show(<MyFollowCard follow={{ ...follow, status }} onCancel={() => {}} />, { language: 'zh' });
  expect(screen.getAllByText(zh).length).toBeGreaterThan(0);
});

it('counts no steps where there are none', async () => {
  const started = { ...follow, status: 'opening' as const, progress: { done: 0, total: 0 } };
  await show(<MyFollowCard follow={started} onCancel={() => {}} />);
  expect(screen.getByText('Moving your SOL to the strategy')).toBeTruthy();
  await show(<MyFollowCard follow={{ ...started, status: 'closing' }} onCancel={() => {}} />);
  expect(screen.getByText(/Your SOL is being returned/)).toBeTruthy();
  expect(screen.queryByText(/0 of 0/)).toBeNull();
});

it('says what a follow whose coins are sold still waits for', async () => {
  const sold = { ...follow, status: 'closing' as const, progress: { done: 3, total: 3 } };
  await show(<MyFollowCard follow={sold} onCancel={() => {}} />);
  expect(screen.getByText(/returned once its deposit is final on chain/)).toBeTruthy();
});

const receipt: CallReply<'getCopyReceipts'>['lists'][number] = {
  id: '1',
  time: Date.now(),
  kind: 'fill',
  side: 'buy',
  tokenContractAddress: 'A',
  tokenSymbol: 'ALPHA',
  tokenAmount: '2500',
  solAmount: '1.25',
  price: '0.0005',
  creatorPrice: '0.0004',
  priceGap: '25',
  scaled: '60',
  txHash: 'hash1111111111111111',
  reason: null,
  limitedBy: null,
};

it('tells copied, pending and skipped trades apart, with side, amount and reason', async () => {
  const none = { tokenAmount: null, solAmount: null, price: null, priceGap: null, scaled: null, txHash: null };
  const lists = [
    receipt,
    { ...receipt, ...none, id: '2', kind: 'skip' as const, side: 'sell' as const, reason: 'nothing-to-sell' },
    { ...receipt, ...none, id: '3', kind: 'skip' as const, reason: 'a-new-reason' },
    { ...receipt, ...none, id: '4', kind: 'pending' as const },
  ];
  await show(<ReceiptsTable slug="alpha" following />, { replies: { getCopyReceipts: { lists, nextCursor: null } } });
  expect(await tableRows('Copy receipts')).toMatchObject([
    { Trade: 'Buy ALPHA', Result: 'Copiedscaled to 60%', Amount: '2.50K', SOL: '1.25 SOL', 'vs creator': '25.00%' },
    { Trade: 'Sell ALPHA', Result: 'SkippedThis follow does not hold the token', Amount: '-', Price: '-' },
    { Trade: 'Buy ALPHA', Result: 'SkippedSkipped for another reason' },
    { Trade: 'Buy ALPHA', Result: 'Pending' },
  ]);
});

it('does not say that nobody followed where the receipts could not be loaded', async () => {
  await show(<ReceiptsTable slug="alpha" following={false} />, { failing: ['getCopyReceipts'] });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});

const buy = {
  tokenContractAddress: 'A',
  tokenSymbol: 'ALPHA',
  solAmount: '1',
  expectedTokens: '5',
  price: '0.2',
  priceImpact: '1',
  skip: null,
  limitedBy: null,
};
const preview: CallReply<'previewFollow'> = {
  buys: [buy, { ...buy, tokenContractAddress: 'B', tokenSymbol: 'BETA', skip: 'below-minimum' }],
  staysSol: '0.75',
  cost: '0.012',
  costPercent: '0.6',
  smallestSensible: '0.5',
  ifCancelledNow: '1.96',
};

async function showDialog(amount: string, replies: Replies): Promise<void> {
  await show(<FollowDialog slug="alpha" name="Alpha" onClose={() => {}} />, { replies });
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: amount } });
}

it('previews what following buys, costs and would return', async () => {
  await showDialog('2', { previewFollow: preview });
  expect(await screen.findByText('1 coin at its current weight')).toBeTruthy();
  expect(figure('Stays in SOL')).toBe('0.7500 SOL');
  expect(figure('Est. entry cost')).toBe('0.0120 SOL · 0.60%');
  expect(figure('Minimum amount')).toBe('0.5000 SOL');
  expect(figure('Est. back if canceled now')).toBe('1.96 SOL');
  fireEvent.click(screen.getByRole('button', { name: '1 coin is skipped' }));
  const why = screen.getByRole('dialog', { name: '1 coin is skipped' });
  expect(why.textContent).toContain('BETA: Your share is below the minimum trade');
  expect(screen.getByRole('button', { name: 'Follow with 2\u00A0SOL' })).toHaveProperty('disabled', false);
});

it('keeps a protection in sight that is wrong, because it stops the follow', async () => {
  await showDialog('2', { previewFollow: preview });
  const disclosure = screen.getByRole('button', { name: /^Protection/ });
  fireEvent.click(disclosure);
  fireEvent.change(screen.getByLabelText(/^Stop loss/), { target: { value: '99' } });
  fireEvent.click(disclosure);
  expect(screen.getByLabelText(/^Stop loss/)).toHaveProperty('value', '99');
  fireEvent.change(screen.getByLabelText(/^Stop loss/), { target: { value: '30' } });
  fireEvent.click(disclosure);
  expect(screen.queryByLabelText(/^Stop loss/)).toBeNull();
});

it('offers neither a follow nor its cancel before it is known what they cost and return', async () => {
  await showDialog('2', {});
  expect(screen.getByRole('button', { name: 'Follow with 2\u00A0SOL' })).toHaveProperty('disabled', true);
  await show(<CancelDialog slug="alpha" name="Alpha" onClose={() => {}} />);
  expect(screen.getByRole('button', { name: 'Sell all and cancel' })).toHaveProperty('disabled', true);
});

it('offers no follow for another amount than the one that was previewed', async () => {
  await showDialog('2', { previewFollow: preview });
  await screen.findByText('1 coin at its current weight');
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '7' } });
  expect(screen.getByRole('button', { name: 'Follow with 7\u00A0SOL' })).toHaveProperty('disabled', true);
  await expect
    .poll(() => screen.getByRole('button', { name: 'Follow with 7\u00A0SOL' }))
    .toHaveProperty('disabled', false);
});

it('offers no follow with less than the minimum', async () => {
  await showDialog('0.001', { previewFollow: preview });
  expect(await screen.findByText(/^The minimum is 0\.5000 SOL/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Follow with 0.001\u00A0SOL' })).toHaveProperty('disabled', true);
});

it('offers no follow whose preview did not come', async () => {
  await showDialog('2', {});
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ code: 5000, msg: 'no', data: null })));
  expect(await screen.findByText('Couldn’t load the preview.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Follow with 2\u00A0SOL' })).toHaveProperty('disabled', true);
});

it('shows what canceling returns, coin by coin and in total', async () => {
  await show(<CancelDialog slug="alpha" name="Alpha" onClose={() => {}} />, {
    replies: {
      previewCancel: {
        coins: [
          {
            tokenContractAddress: 'A',
            tokenSymbol: 'ALPHA',
            amount: '2500',
            expectedSol: '1.5',
            priceImpact: '2',
          },
        ],
        freeSol: '0.25',
        total: '1.75',
        totalUsd: '350',
      },
    },
  });
  expect((await screen.findByTestId('cancel-total')).textContent).toBe('1.75 SOL');
  expect(screen.getByText('ALPHA').closest('div')?.textContent).toBe('ALPHA 2.50K1.50 SOL');
  expect(figure('Free SOL')).toBe('0.2500 SOL');
  expect(screen.getByText('$350.0000')).toBeTruthy();
});

it.each([
  ['en', 'Take the coins instead of selling them', 'Take coins and cancel', /five times that are sold/],
  ['zh', '不卖出，直接取回代币', '取回代币并取消', /将被卖出/],
] as const)(
  'cancels with the coins as they are where one asks for that (%s)',
  async (language, choice, submit, cost) => {
    const coin = {
      tokenContractAddress: 'A',
      tokenSymbol: 'ALPHA',
      amount: '2500',
      expectedSol: '1.5',
      priceImpact: '2',
    };
    await show(<CancelDialog slug={`alpha-${language}`} name="Alpha" onClose={() => {}} />, {
      language,
      replies: {
        previewCancel: { coins: [coin], freeSol: '0.25', total: '1.75', totalUsd: '350' },
      },
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: choice }));
    expect(screen.getByText(cost)).toBeTruthy();
    expect(screen.queryByText(/at market|按市价卖出/)).toBeNull();
    expect(screen.getByText('ALPHA').closest('div')?.textContent).toBe('ALPHA 2.50K');
    expect(screen.queryByTestId('cancel-total')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: submit }));
    const bodies = () => vi.mocked(fetch).mock.calls.map(([, init]) => init?.body);
    await expect.poll(bodies).toContainEqual(expect.stringContaining('"inKind":true'));
  },
);

it('takes the cancel of a new follow for no question about a cancel of the one before it', async () => {
  const coin = { tokenContractAddress: 'A', tokenSymbol: 'ALPHA', amount: '1', expectedSol: '1', priceImpact: '0' };
  const replies = {
    previewCancel: { coins: [coin], freeSol: '0', total: '1', totalUsd: '1' },
    previewFollow: preview,
    followStrategy: follow,
  };
  const keys: (string | null)[] = [];
  const cancel = async () => {
    await show(<CancelDialog slug="again" name="Again" onClose={() => {}} />, { replies, failing: ['cancelFollow'] });
    fireEvent.click(await screen.findByRole('checkbox'));
    fireEvent.click(screen.getByRole('button', { name: 'Take coins and cancel' }));
    const sent = () => vi.mocked(fetch).mock.calls.find(([url]) => (url as string).includes('cancel_follow'));
    await expect.poll(sent).toBeTruthy();
    keys.push(new Headers(sent()![1]!.headers).get('idempotency-key'));
    await screen.findByRole('button', { name: 'Take coins and cancel' });
    cleanup();
  };
  await cancel();
  await cancel();
  const onClose = vi.fn();
  await show(<FollowDialog slug="again" name="Again" onClose={onClose} />, { replies });
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '2' } });
  const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Follow with 2\u00A0SOL' });
  await expect.poll(() => submit().disabled).toBe(false);
  fireEvent.click(submit());
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  cleanup();
  await cancel();
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

it('takes a follow after a cancel for no question about the one before it, whose answer was lost', async () => {
  const replies = {
    previewCancel: { coins: [], freeSol: '1', total: '1', totalUsd: '1' },
    previewFollow: preview,
    cancelFollow: follow,
  };
  const keys: (string | null)[] = [];
  const press = async () => {
    await show(<FollowDialog slug="lost" name="Lost" onClose={() => {}} />, { replies, failing: ['followStrategy'] });
    fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '2' } });
    const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Follow with 2\u00A0SOL' });
    await expect.poll(() => submit().disabled).toBe(false);
    fireEvent.click(submit());
    const sent = () => vi.mocked(fetch).mock.calls.find(([url]) => (url as string).includes('follow_strategy'));
    await expect.poll(sent).toBeTruthy();
    keys.push(new Headers(sent()![1]!.headers).get('idempotency-key'));
    await expect.poll(() => submit().disabled).toBe(false);
    cleanup();
  };
  await press();
  await press();
  const onClose = vi.fn();
  await show(<CancelDialog slug="lost" name="Lost" onClose={onClose} />, { replies });
  const cancel = screen.getByRole<HTMLButtonElement>('button', { name: 'Sell all and cancel' });
  await expect.poll(() => cancel.disabled).toBe(false);
  fireEvent.click(cancel);
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  cleanup();
  await press();
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

it('says that a follow is canceled where the answer was lost and the strategy shows none any more', async () => {
  const onClose = vi.fn();
  await show(<CancelDialog slug="gone" name="Gone" onClose={onClose} />, {
    replies: { previewCancel: { coins: [], freeSol: '1', total: '1', totalUsd: '1' } },
    failing: ['cancelFollow'],
  });
  const others = fetch;
  const shown: (Follow | null)[] = [follow];
  const detail = () => {
    const [myFollow = null] = shown.splice(0, 1);
    return Promise.resolve(Response.json({ code: 200, msg: '', data: { myFollow } }));
  };
  vi.stubGlobal('fetch', (input: string) => (input.includes('getStrategyDetail') ? detail() : others(input)));
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Sell all and cancel' });
  await expect.poll(() => submit.disabled).toBe(false);
  fireEvent.click(submit);
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  const texts = toast.store.getState().toasts.filter(({ kind }) => kind === 'success');
  expect(texts.map(({ text }) => text)).toContain('Follow canceled successfully!');
});

it('does not close the dialog of another follow when a cancel ends that was left to itself', async () => {
  const onClose = vi.fn();
  await show(<CancelDialog slug="left" name="Left" onClose={onClose} />, {
    replies: { previewCancel: { coins: [], freeSol: '1', total: '1', totalUsd: '1' } },
  });
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Sell all and cancel' });
  await expect.poll(() => submit.disabled).toBe(false);
  let answer: (response: Response) => void = () => {};
  const answered = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', () => answered);
  fireEvent.click(submit);
  cleanup();
  answer(Response.json({ code: 200, msg: '', data: follow }));
  await expect.poll(() => toast.store.getState().toasts.some(({ kind }) => kind === 'success')).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
});

it('offers to add SOL from the wallet or to take some out of the follow', async () => {
  await show(<FundsDialog follow={follow} onClose={() => {}} />);
  expect(screen.getByText(/Moves more SOL from your wallet/)).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Take out' }));
  expect(screen.getByText(/the same share of every coin is sold/)).toBeTruthy();
  expect(screen.getByTestId('available').textContent).toBe('8.50\u00A0SOL in this follow; 10% must stay');
});

it('takes out no more than may leave the follow, and less with Max, so that a falling price does not refuse it', async () => {
  await show(<FundsDialog follow={follow} onClose={() => {}} />);
  fireEvent.click(screen.getByRole('radio', { name: 'Take out' }));
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' });
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Take out' });
  fireEvent.click(screen.getByRole('button', { name: /Max/ }));
  expect(field.value).toBe('7.565');
  expect(submit.disabled).toBe(false);
  fireEvent.change(field, { target: { value: '7.66' } });
  expect(screen.getByText(/At least 10% must stay/)).toBeTruthy();
  expect(submit.disabled).toBe(true);
});

const notBought = [{ tokenContractAddress: 'A', tokenSymbol: 'ALPHA', reason: 'coin-cap' }];
const leftOut = (changes: Partial<typeof follow>) => (
  <MyFollowCard follow={{ ...follow, notBought, ...changes }} onCancel={() => {}} />
);

it('names the coins that joining left out, each with its reason, and until when they are tried', async () => {
  const joinUntil = Date.now() + 60_000;
  await show(leftOut({ joinUntil }));
  const left = screen.getByTestId('not-bought');
  expect(left.textContent).toContain(`tried again until ${exactTime(joinUntil, 'en')}`);
  expect(left.textContent).toContain('ALPHA Coin cap: this coin’s share of the follow is full');
  await show(leftOut({ joinUntil, paused: true }), { language: 'zh' });
  expect(screen.getAllByTestId('not-bought').at(-1)!.textContent).toContain('跟单暂停期间不再尝试');
});

it('says that the last try is over while one looks on, and lets it go a day later', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await show(leftOut({ joinUntil: Date.now() + 60_000 }));
    await act(() => vi.advanceTimersByTime(60_001));
    expect(screen.getByTestId('not-bought').textContent).toContain('that part stays SOL');
    await act(() => vi.advanceTimersByTime(86_400_000));
    expect(screen.queryByTestId('not-bought')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

it('says nothing of what joining left out once the follow is closing', async () => {
  await show(leftOut({ joinUntil: Date.now() + 60_000, status: 'closing' }));
  expect(screen.queryByTestId('not-bought')).toBeNull();
});
