// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { session } from '../../data/session.ts';
import { figure, show, tableRows } from '../../show-for-test.tsx';
import { FollowWalletButton } from './follow-wallet-button.tsx';
import FollowWalletDialog from './follow-wallet-dialog.tsx';
import { DEFAULT_TEXT, requestOf, textOf, wrongFields } from './settings-form.ts';
import WalletReceiptsDialog from './wallet-receipts-dialog.tsx';
import { WalletFollowsTable } from './wallet-follows-table.tsx';
import { PaperWalletsTable } from './paper-wallets-table.tsx';
import WalletSimulator from './wallet-simulator.tsx';

const settings: CallReply<'followWallet'>['settings'] = {
  size: { kind: 'share', share: '25' },
  copies: 'both',
  buyMin: '0.5',
  buyMax: null,
  firstBuyOnly: true,
  excludedTokens: ['A', 'B'],
  excludedHours: [0, 23],
  transfersAreExits: false,
  capPerTrade: null,
  capPerToken: '2',
  maxGap: '3',
  waitMinutes: 5,
  runUpLimit: '3',
  coinCap: null,
};
const follow: CallReply<'followWallet'> = {
  id: 'w1',
  address: 'So11111111111111111111111111111111111111112',
  name: 'Whale',
  bookId: 'b1',
  strategy: null,
  paused: false,
  settings,
  amount: '2',
  equity: '2.5',
  pnl: '0.5',
  changeRate: '25',
  startTime: 1,
  endTime: null,
  copied: 7,
  skipped: 3,
  copiedShare: '70',
  medianDelayMs: 1_234,
  medianDelaySlots: 3,
  medianGap: '0.75',
};

it('offers no follow of the own wallet, which the server refuses', async () => {
  await show(<FollowWalletButton address="own" name={null} />);
  expect(screen.getByRole('button', { name: 'Follow this wallet' })).toBeTruthy();
  const nothing = { tokenBalance: '1', available: '1', committed: null, equity: null, withdrawable: '1' };
  act(() => session.setWalletInfo({ walletAddress: 'own', ...nothing }));
  expect(screen.queryByRole('button')).toBeNull();
});

it('lists followed wallets with value, result, delay and price gap, and a way to end each that runs', async () => {
  const ended = { ...follow, id: 'w2', name: 'Gone', endTime: 2 };
  await show(<WalletFollowsTable />, { replies: { getMyWalletFollows: { lists: [follow, ended] } } });
  const rows = await tableRows('Followed wallets');
  expect(rows[0]).toMatchObject({
    State: 'Running',
    'Current value': '2.50 SOL',
    PnL: '+25.00%+0.5000 SOL',
    Copied: '7 copied, 3 skipped',
    'Delay (median)': '1.2 s3 slots',
    'Price gap (median)': '0.75%',
  });
  expect(rows[1]).toMatchObject({ State: 'Ended' });
  expect(screen.getAllByRole('button', { name: 'End' })).toHaveLength(1);
});

it('shows beside each copied trade its delay and gap, and why a trade was skipped', async () => {
  const receipt: CallReply<'getWalletFollowReceipts'>['lists'][number] = {
    id: '1-A',
    tokenContractAddress: 'A',
    tokenSymbol: 'ALPHA',
    side: 'buy',
    time: 1,
    solAmount: '1',
    tokenAmount: '10',
    price: '0.1',
    txHash: 'theirs',
    state: 'done',
    reason: null,
    ownSolAmount: '0.5',
    ownTokenAmount: '4.9',
    ownPrice: '0.102',
    ownTxHash: 'own',
    delayMs: 900,
    delaySlots: 2,
    gap: '2.04',
  };
  const skipped = { ...receipt, id: '2-A', state: 'skipped' as const, reason: 'price-gap', ownTxHash: null, gap: null };
  const replies = { getWalletFollowReceipts: { lists: [receipt, skipped], nextCursor: null } };
  await show(<WalletReceiptsDialog follow={follow} onClose={() => {}} />, { replies });
  const rows = await tableRows('Receipts of Whale');
  expect(rows[0]).toMatchObject({ Trade: 'Buy ALPHA', Delay: '0.9 s2 slots', 'Price gap': '2.04%', Result: 'Copied' });
  expect(rows[1]).toMatchObject({ You: '-', Result: 'SkippedPrice above your limit' });
});

it('says before following how much of the wallet could have been copied', async () => {
  const preview = { buys: 54, copyable: 41, copyableShare: '72.5', medianGap: '0.8', delayMs: 2_000 };
  await show(<FollowWalletDialog address={follow.address} name="Whale" onClose={() => {}} />, {
    replies: { previewWalletFollow: preview },
  });
  expect((await screen.findByText(/^In 7 days/)).textContent).toBe(
    'In 7 days it bought 54 times. 41 of them (72.50% by SOL) stayed within the limit 2 s later; median price move +0.80%.',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Follow' }));
  expect(screen.getByText('Please enter the amount (SOL)')).toBeTruthy();
});

it('keeps a limit in sight that is wrong, because it stops the follow', async () => {
  await show(<FollowWalletDialog address={follow.address} name={null} onClose={() => {}} />);
  const more = screen.getByRole('button', { name: /More limits/ });
  fireEvent.click(more);
  fireEvent.change(screen.getByRole('textbox', { name: 'Excluded tokens' }), { target: { value: 'CAT' } });
  fireEvent.click(more);
  expect(screen.getByText('Token addresses, 50 at most')).toBeTruthy();
});

it('says what each limit takes', async () => {
  await show(<FollowWalletDialog address={follow.address} name={null} onClose={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: /More limits/ }));
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
  type('Wait for price (minutes)', '');
  expect(screen.getByText('Whole minutes from 0 to 30')).toBeTruthy();
  type('Its buys from', '2');
  type('Its buys up to', '1');
  expect(screen.getByText('Not below “Its buys from”, or leave it empty')).toBeTruthy();
});

describe('the settings of a wallet follow', () => {
  it('come back from the form as they went into it', () => {
    const { runUpLimit: _kept, ...same } = settings;
    expect(requestOf(textOf(settings))).toEqual(same);
  });

  it('name what is wrong, and nothing where all is right', () => {
    expect([...wrongFields(DEFAULT_TEXT)]).toEqual([]);
    const wrong = { ...DEFAULT_TEXT, size: '0', maxGap: '0.4', waitMinutes: '31', buyMin: 'x', excludedHours: '24' };
    expect([...wrongFields(wrong)]).toEqual(['size', 'maxGap', 'waitMinutes', 'buyMin', 'hours']);
    const refused = {
      ...DEFAULT_TEXT,
      sizeKind: 'share' as const,
      size: '1001',
      coinCap: '101',
      excludedTokens: 'CAT',
    };
    expect([...wrongFields(refused)]).toEqual(['size', 'coinCap', 'tokens']);
    expect([...wrongFields({ ...DEFAULT_TEXT, buyMin: '2', buyMax: '1.5' })]).toEqual(['buyMax']);
    expect([...wrongFields({ ...DEFAULT_TEXT, buyMin: '2', buyMax: '2' })]).toEqual([]);
  });
});

it('says what following the wallet would be worth, beside its own result, and why trades were skipped', async () => {
  const simulation: CallReply<'simulateWalletFollow'> = {
    address: follow.address,
    amount: '2',
    since: 1_790_000_000_000,
    until: 1_790_600_000_000,
    equity: '2.5',
    pnl: '0.5',
    changeRate: '25',
    walletChangeRate: '40',
    networkFees: '0.0002',
    trades: 12,
    copied: 9,
    limited: 1,
    skipped: 3,
    reasons: [{ reason: 'price-gap', count: 3 }],
    lists: [
      { t: 1_790_000_000_000, changeRate: '0' },
      { t: 1_790_600_000_000, changeRate: '25' },
    ],
    wallet: [{ t: 1_790_600_000_000, changeRate: '40' }],
    delayMs: 2_000,
  };
  await show(<WalletSimulator address={follow.address} />, { replies: { simulateWalletFollow: simulation } });
  const figures = await screen.findByTestId('wallet-simulation');
  expect(figure('It would be worth', figures)).toBe('2.50 SOL +25.00%');
  expect(figure('The wallet, same trades', figures)).toBe('+40.00%');
  expect(figure('Copies', figures)).toBe('9 of 12 trades copied, 3 skipped');
  expect(screen.getByText('Price above your limit')).toBeTruthy();
});

it('lists wallets followed on paper, marked as such, and ends them', async () => {
  const { id, address, name, amount, startTime, endTime } = follow;
  const result = { equity: '2.5', pnl: '0.5', changeRate: '25', walletChangeRate: '40', copied: 9, skipped: 3 };
  const paper: CallReply<'startPaperWalletFollow'> = {
    id,
    address,
    name,
    amount,
    settings,
    startTime,
    endTime,
    ...result,
    replayedSince: null,
  };
  const lists = [paper, { ...paper, id: 'w2', endTime: 2, replayedSince: 3 }];
  await show(<PaperWalletsTable />, { replies: { getMyPaperWalletFollows: { lists } } });
  const rows = await tableRows('Paper wallet follows');
  expect(rows[0]).toMatchObject({
    State: 'Running',
    'Current value': '2.50 SOL',
    PnL: '+25.00%+0.5000 SOL',
    'The wallet, same trades': '+40.00%',
    Copied: '9 copied, 3 skipped',
  });
  expect(rows[0]!['Wallet']).toContain(name);
  expect(rows[0]!['Wallet']).toContain('Paper');
  expect(rows[0]!['Since']).not.toContain('replayed');
  expect(rows[1]!['Since']).toContain('replayed from');
  expect(rows[1]).toMatchObject({ State: 'Ended' });
  expect(screen.getAllByRole('button', { name: 'End' })).toHaveLength(1);
});

it('says that followed wallets could not be loaded instead of showing none', async () => {
  await show(<WalletFollowsTable />, { failing: ['getMyWalletFollows'] });
  expect(await screen.findByRole('heading', { name: 'Followed wallets' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

describe('a wallet that the own strategy follows', () => {
  const own: CallReply<'getStrategyList'>['lists'][number] = {
    slug: 'alpha',
    name: 'Alpha',
    creator: { name: 'ann' },
    tier: 'new',
    missing: [],
    score: null,
    maxDrawdown: null,
    followerSample: 0,
    followerReturnEarly: false,
    yieldRate: null,
    followerReturn: null,
    winRate: null,
    closedTrades: 0,
    unsoldAtLoss: 0,
    followers: 0,
    copyTradeFunds: '0',
    capitalAmount: '2',
    publishTime: 0,
    endTime: null,
    duration: null,
    autoClear: true,
    coins: [],
    trend: [],
    status: 'running',
    following: false,
    mine: true,
  };

  it('is followed with the capital of the strategy, as the dialog says once that is chosen', async () => {
    const replies = { getStrategyList: { lists: [own], total: 1, pageNo: 1, pageSize: 50 } };
    await show(<FollowWalletDialog address={follow.address} name="Whale" onClose={() => {}} />, { replies });
    expect(screen.getByRole('dialog').textContent).toContain('in a sub-account of your own inside your wallet');
    fireEvent.change(await screen.findByLabelText('Trades in'), { target: { value: 'alpha' } });
    expect(screen.getByRole('dialog').textContent).toContain('with its own capital; followers fill in each round');
    expect(screen.getByRole('dialog').textContent).not.toContain('inside your wallet');
  });

  it('leaves its SOL and tokens in the strategy when it ends, as the question says', async () => {
    const lists = [{ ...follow, strategy: { slug: 'alpha', name: 'Alpha' } }];
    await show(<WalletFollowsTable />, { replies: { getMyWalletFollows: { lists } } });
    fireEvent.click(await screen.findByRole('button', { name: 'End' }));
    const question = (await screen.findByRole('dialog')).textContent;
    expect(question).toContain('It keeps its SOL and tokens; nothing is sold.');
    expect(question).not.toContain('personal account');
  });
});
