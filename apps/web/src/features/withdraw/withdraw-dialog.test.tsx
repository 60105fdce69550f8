// @vitest-environment happy-dom
import type { CallName, CallReply } from '@hunter/contract/calls';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { session } from '../../data/session.ts';
import { figure, show } from '../../show-for-test.tsx';
import WithdrawDialog from './withdraw-dialog.tsx';
import { SavedAddresses } from './saved-addresses.tsx';
import { WithdrawalLimits } from './withdrawal-limits.tsx';
import { WithdrawReview } from './withdraw-review.tsx';

const destination = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const mint = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

const review: CallReply<'reviewWithdrawal'> = {
  id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  toWallet: destination,
  tokenContractAddress: null,
  tokenSymbol: 'SOL',
  amount: '1.25',
  baseUnits: '1250000000',
  fee: '0.000005',
  accountRent: null,
  accountRentIsMaximum: false,
  firstUse: true,
  label: null,
  heldUntil: null,
  holdReason: null,
  warnings: ['first-use'],
  factors: [],
};
const showReview = (fields: Partial<typeof review>, language: 'en' | 'zh' = 'en') =>
  show(
    <WithdrawReview review={{ ...review, ...fields }} onBack={() => {}} onResult={() => {}} onSending={() => {}} />,
    { language },
  );

it('shows the whole address, the amount, the fee and that the address is new, before the password', async () => {
  await showReview({});
  expect(screen.getByTestId('review-address').textContent).toBe(destination);
  expect(figure('You send')).toBe('1.25 SOL');
  expect(figure('Gas fee')).toBe('0.000005 SOL');
  expect(screen.getByTestId('review-notes').textContent).toMatch(/First withdrawal to this address/);
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByText('Please enter your password')).toBeTruthy();
});

it.each([
  ['en', /It will be held until .+ Tokens to an address not paid before always wait/],
  ['zh', /将暂缓至 .+可以取消。向未使用过的地址提现代币一律暂缓/],
] as const)('says until when a withdrawal waits and why, in %s', async (language, text) => {
  await showReview(
    {
      tokenContractAddress: mint,
      tokenSymbol: 'BONK',
      accountRent: '0.00203928',
      heldUntil: 1_800_000_000_000,
      holdReason: 'new-address-token',
      warnings: ['first-use', 'transfer-fee', 'new-account'],
    },
    language,
  );
  const notes = within(screen.getByTestId('review-notes')).getAllByRole('listitem');
  expect(notes).toHaveLength(4);
  expect(notes[3]!.textContent).toMatch(text);
  expect(document.body.textContent).toContain(mint);
  expect(figure(language === 'en' ? 'Token account rent' : '账户租金')).toBe('0.00203928 SOL');
});

it('calls the rent of a new token account a maximum only where it is one', async () => {
  const rent = { tokenContractAddress: mint, accountRent: '0.0025', accountRentIsMaximum: true };
  await showReview({ ...rent, firstUse: false, warnings: ['new-account'] });
  expect(figure('Token account rent (maximum)')).toBe('0.0025 SOL');
  expect(screen.getByTestId('review-notes').textContent).toMatch(/does not come back/);
});

it('asks for the second factor after the password, where one is enrolled, and sends both with the reviewed id', async () => {
  const enrolled = { id: 'k', name: 'Phone', createdAt: 0, lastUsedAt: null };
  const getMyFactors = {
    rpId: 'localhost',
    address: 'own',
    passkeys: [],
    totp: enrolled,
    recoveryCodesLeft: 10,
    loginRequired: false,
    recovery: null,
    recoveryDelayMs: 0,
    exportReadyAt: null,
  };
  await show(
    <WithdrawReview
      review={{ ...review, factors: ['totp'] }}
      onBack={() => {}}
      onResult={() => {}}
      onSending={() => {}}
    />,
    { replies: { getMyFactors } },
  );
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Withdraw' });
  await expect.poll(() => submit.disabled).toBe(false);
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'my password' } });
  fireEvent.click(submit);
  expect(await screen.findByTestId('factor-prompt')).toBeTruthy();
  expect(screen.getByTestId('review-notes').textContent).toMatch(/First withdrawal to this address/);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByTestId('factor-prompt')).toBeTruthy();
  const bodies = () =>
    vi
      .mocked(fetch)
      .mock.calls.filter(([url]) => url === '/api/user/withdrawal')
      .map(([, init]) => JSON.parse(init!.body as string) as object);
  expect(bodies()).toEqual([]);
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '123456' } });
  fireEvent.submit(screen.getByRole('textbox').closest('form')!);
  await expect.poll(bodies).toHaveLength(1);
  const factor = { kind: 'totp', code: '123456' };
  expect(bodies()[0]).toMatchObject({ id: review.id, toWallet: destination, password: 'my password', factor });
});

it('says nothing to worry about for an address used before', async () => {
  await showReview({ firstUse: false, warnings: [], label: 'Ledger' });
  expect(screen.queryByTestId('review-notes')).toBeNull();
  expect(screen.getByText('Ledger')).toBeTruthy();
});

it('asks the server before it asks for the password, and offers tokens and saved addresses', async () => {
  await showFilledIn();
  expect(screen.queryByLabelText('Password')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Review withdrawal' }));
  expect((await screen.findByTestId('review-address')).textContent).toBe(destination);
  expect(screen.getByRole('dialog', { name: 'Withdraw BONK' })).toBeTruthy();
  expect(figure('You send')).toBe('1,000.5 BONK');
});

it('names the reviewed token after it has left, and then goes on with SOL without its amount', async () => {
  await showFilledIn();
  fireEvent.click(screen.getByRole('button', { name: 'Review withdrawal' }));
  await screen.findByTestId('review-address');
  sellAll();
  expect(screen.getByRole('dialog', { name: 'Withdraw BONK' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(await screen.findByRole('dialog', { name: 'Withdraw SOL' })).toBeTruthy();
  const amount = screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount (SOL)' });
  await expect.poll(() => amount.value).toBe('');
  fireEvent.change(amount, { target: { value: '1.25' } });
  fireEvent.click(screen.getByRole('button', { name: 'Review withdrawal' }));
  const bodies = () =>
    vi
      .mocked(fetch)
      .mock.calls.filter(([url]) => url === '/api/user/reviewWithdrawal')
      .map(([, init]) => JSON.parse(init!.body as string) as object);
  await expect.poll(() => bodies().at(1)).toMatchObject({ toWallet: destination, amount: '1.25' });
  expect(bodies()[1]).not.toHaveProperty('tokenContractAddress');
});

it('leaves no amount of a token behind that is sold while the form is open', async () => {
  await showFilledIn();
  sellAll();
  const amount = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Amount (SOL)' });
  await expect.poll(() => amount.value).toBe('');
});

it('offers every token, the most valuable first, however many strangers have sent', async () => {
  const spam = Array.from({ length: 100 }, (_, index) => ({
    ...position,
    tokenContractAddress: `spam${index}`,
    tokenSymbol: 'SPAM',
  }));
  const pages = [spam, [{ ...position, value: '2' }]];
  await show(<WithdrawDialog onClose={() => {}} />, {
    replies: {
      get getMyPositions() {
        const pageNo = pages.length === 2 ? 1 : 2;
        return { lists: pages.shift() ?? [], total: 101, pageNo, pageSize: 100 };
      },
    },
  });
  const symbols = () =>
    within(screen.getByLabelText('Asset'))
      .getAllByRole('option')
      .map((option) => option.textContent.split(' ')[0]);
  await screen.findByLabelText('Asset');
  await expect.poll(() => symbols().slice(0, 3)).toEqual(['SOL', 'BONK', 'SPAM']);
  expect(symbols()).toHaveLength(102);
});

it('asks about a withdrawal whose answer was lost, also from a dialog that is opened anew, and makes no second one', async () => {
  const sent = () =>
    vi
      .mocked(fetch)
      .mock.calls.filter(([url]) => url === '/api/user/withdrawal')
      .map(([, init]) => [(JSON.parse(init!.body as string) as { id: string }).id, keyOf(init!)]);
  const keyOf = ({ headers }: RequestInit) => new Headers(headers).get('idempotency-key');
  const confirm = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Review withdrawal' }));
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'my password' } });
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  };
  await showFilledIn({ id: '7a1d0c22-3b52-4c8e-9d0f-1f2b3c4d5e6f', failing: ['withdrawal'] });
  await confirm();
  expect(await screen.findByText(/^No response; it may have gone through/)).toBeTruthy();
  const [first] = sent();
  cleanup();

  await showFilledIn({ failing: ['reviewWithdrawal'] });
  await confirm();
  await expect.poll(sent).toEqual([first]);
});

const position: CallReply<'getMyPositions'>['lists'][number] = {
  tokenContractAddress: mint,
  tokenSymbol: 'BONK',
  tokenName: 'Bonk',
  tokenLogoUrl: '',
  bookId: 'b',
  bookKind: 'personal',
  bookName: 'Personal',
  openTime: 0,
  amount: '1000.5',
  boughtAmount: '1000.5',
  cost: null,
  value: null,
  valueUsd: null,
  unrealizedProfit: null,
  unrealizedPercent: null,
};

/** Elsewhere, while the dialog is open. */
function sellAll(): void {
  const none = { lists: [], total: 0, pageNo: 1, pageSize: 100 };
  act(() => {
    queryClient.setQueryData(['getMyPositions', 'pages', { pageSize: 100 }], {
      pages: [none],
      pageParams: [undefined],
    });
  });
}

/** The dialog with all of the one token to a saved address. */
async function showFilledIn({ id = review.id, failing = [] }: { id?: string; failing?: readonly CallName[] } = {}) {
  const walletInfo = {
    walletAddress: 'own',
    tokenBalance: '3',
    available: '3',
    withdrawable: '2.9',
    committed: null,
    equity: null,
  };
  await show(<WithdrawDialog onClose={() => {}} />, {
    failing,
    replies: {
      getMyPositions: { lists: [position], total: 1, pageNo: 1, pageSize: 100 },
      getMyWithdrawalAddresses: {
        lists: [{ toWallet: destination, label: 'Ledger', usedBefore: false, changedAt: 0 }],
      },
      getMyWithdrawals: { lists: [], total: 0, pageNo: 1, pageSize: 10 },
      reviewWithdrawal: { ...review, id, tokenContractAddress: mint, tokenSymbol: 'BONK', amount: '1000.5' },
    },
  });
  session.setUser({ token: 'test', email: 'ann@example.com', walletInfo });
  fireEvent.change(await screen.findByLabelText('Asset'), { target: { value: mint } });
  fireEvent.change(await screen.findByLabelText('Choose a saved address'), { target: { value: destination } });
  fireEvent.click(screen.getByTestId('available'));
}

it('marks which saved addresses were used before', async () => {
  const other = 'So11111111111111111111111111111111111111112';
  await show(<SavedAddresses />, {
    replies: {
      getMyWithdrawalAddresses: {
        lists: [
          { toWallet: destination, label: 'Ledger', usedBefore: true, changedAt: 0 },
          { toWallet: other, label: 'Exchange', usedBefore: false, changedAt: 0 },
        ],
      },
    },
  });
  const rows = within(await screen.findByTestId('saved-addresses')).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining(`Ledgerused before${destination}`),
    expect.stringContaining(`Exchangenot used yet${other}`),
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Rename Exchange' }));
  expect(screen.getByLabelText<HTMLInputElement>('Label').value).toBe('Exchange');
  expect(screen.getByLabelText<HTMLInputElement>('Address (Solana)').disabled).toBe(true);
});

it('asks for the password only where a limit is raised, and says from when it holds', async () => {
  const limits: CallReply<'getMyWithdrawalLimits'> = {
    now: { dailySol: '5', delaysNew: true },
    next: { dailySol: null, delaysNew: false, from: 1_800_000_000_000 },
    dailySolMax: '500',
    largeSol: '50',
  };
  await show(<WithdrawalLimits />, { replies: { getMyWithdrawalLimits: limits } });
  const daily = await screen.findByLabelText('Daily limit');
  expect(screen.getByTestId('raised-limits').textContent).toMatch(/No limit set, new addresses are held for large/);
  expect(screen.queryByLabelText('Password')).toBeNull();
  fireEvent.change(daily, { target: { value: '2' } });
  expect(screen.getByLabelText('Password')).toBeTruthy();
  fireEvent.change(daily, { target: { value: '6' } });
  expect(screen.getByLabelText('Password')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  fireEvent.change(daily, { target: { value: '5' } });
  fireEvent.click(screen.getByRole('checkbox'));
  expect(screen.getByLabelText('Password')).toBeTruthy();
});

it('takes no daily limit above the most that holds anyway', async () => {
  const limits = { now: { dailySol: null, delaysNew: false }, next: null, dailySolMax: '500', largeSol: '50' };
  await show(<WithdrawalLimits />, { replies: { getMyWithdrawalLimits: limits } });
  const daily = await screen.findByLabelText('Daily limit');
  fireEvent.change(daily, { target: { value: '500.5' } });
  expect(screen.getByText('At most 500 SOL')).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
  fireEvent.change(daily, { target: { value: '500' } });
  expect(screen.queryByText('At most 500 SOL')).toBeNull();
});

it('says why it cannot go on where the second factors could not be loaded', async () => {
  const facts = { ...review, factors: ['totp' as const] };
  await show(<WithdrawReview review={facts} onBack={() => {}} onResult={() => {}} onSending={() => {}} />, {
    failing: ['getMyFactors'],
  });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Withdraw' })).toHaveProperty('disabled', true);
});
