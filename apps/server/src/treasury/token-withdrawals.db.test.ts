import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegisteredUser } from '../accounts/accounts-for-test.ts';
import { loadFlows } from '../portfolio/account-value.ts';
import { anAddress } from './chain-for-test.ts';
import { TreasuryUnderTest } from './treasury-for-test.ts';

const SOL = 1_000_000_000n;
const FEE = 5_000n;
const RENT = 2_039_280n;

describe('withdrawals of tokens', () => {
  let test: TreasuryUnderTest;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  const amounts = async ({ userId }: RegisteredUser, mint: Address) => {
    const [row] = await test.accounts.database.query<{ cash: bigint; held: bigint; position: bigint }>(
      `select coalesce(sum(a.amount) filter (where a.account = 'cash'), 0) as cash,
              coalesce(sum(a.amount) filter (where a.account = 'held'), 0) as held,
              (select coalesce(sum(p.quantity + p.uncosted_tokens), 0) from position p where p.user_id = $1 and p.mint = $2) as position
       from balance a join book b on b.id = a.book_id where b.user_id = $1 and a.asset = $2`,
      [userId, mint],
    );
    return row!;
  };

  /** A user with some SOL and a million units of a token of his own. */
  async function holder(email: string): Promise<{ user: RegisteredUser; mint: Address; account: Address }> {
    const user = await test.fundedUser(email, SOL);
    const mint = anAddress();
    test.chain.mints.set(mint, { decimals: 6, owner: TOKEN_PROGRAM });
    const account = associatedTokenAddress(user.wallet.address as Address, mint);
    test.chain.receiveTokens(account, user.wallet.address as Address, mint, 1_000_000n);
    await test.until(async () => (await amounts(user, mint)).cash === 1_000_000n);
    return { user, mint, account };
  }

  it('that are made with the key elsewhere count as withdrawn with what the tokens had cost', async () => {
    const { database } = test.accounts;
    const { user, mint, account } = await holder('elsewhere@example.com');
    await database.write(
      `update holding set quantity = 600000, cost_lamports = 3000, uncosted_tokens = 400000 where asset = $1`,
      [mint],
    );
    test.chain.sendTokensOutside(account, 600_000n);
    await test.until(async () => (await amounts(user, mint)).cash === 400_000n);
    // Those from outside left first.
    expect((await loadFlows(database, [user.userId])).get(user.userId)).toEqual({ deposited: SOL, withdrawn: 1_000n });
  });

  it('send the tokens, make the destination’s account at the user’s cost, and end with books and chain equal', async () => {
    const { user, mint, account } = await holder('tokens@example.com');
    const toWallet = anAddress();
    const request = { toWallet, amount: '0.25', tokenContractAddress: mint };
    const review = await test.accounts.post('user/reviewWithdrawal', request, { token: user.token });
    expect(review.data).toMatchObject({
      baseUnits: '250000',
      tokenContractAddress: mint,
      fee: '0.000005',
      accountRent: '0.00203928',
      firstUse: true,
      warnings: ['first-use', 'new-account'],
    });
    const { id } = review.data as unknown as { id: string };
    const reply = await test.withdraw(user, { ...request, id });
    expect(reply.data).toMatchObject({ id, status: 'confirmed', amount: '0.25', tokenContractAddress: mint });
    await test.until(async () => (await amounts(user, mint)).held === 0n);
    expect(await amounts(user, mint)).toEqual({ cash: 750_000n, held: 0n, position: 750_000n });
    expect(test.chain.tokens.get(account)?.amount).toBe(750_000n);
    expect(test.chain.tokens.get(associatedTokenAddress(toWallet, mint))?.amount).toBe(250_000n);
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(await test.sol(user)).toEqual({ cash: SOL - FEE - RENT, held: 0n });
    expect(await test.difference(user)).toBe(0n);

    // The second one finds the account.
    const again = await test.withdraw(user, { ...request, amount: '0.75' });
    expect(again.data).toMatchObject({ accountRent: null });
    await test.until(async () => (await amounts(user, mint)).cash === 0n && (await test.sol(user)).held === 0n);
    expect(await test.sol(user)).toEqual({ cash: SOL - 2n * FEE - RENT, held: 0n });
    expect(await amounts(user, mint)).toEqual({ cash: 0n, held: 0n, position: 0n });
    const list = await test.accounts.get('user/getMyWithdrawals', user.token);
    expect(list.data).toMatchObject({ total: 2, lists: [{ tokenContractAddress: mint, amount: '0.75' }, {}] });
    const mails = await test.accounts.mailsTo(user.email);
    expect(mails.filter(({ subject }) => subject.startsWith('Withdrawal sent: 0.'))).toHaveLength(2);
  });

  it('make the destination’s account also where a stranger has sent SOL to its address', async () => {
    const { user, mint } = await holder('prefunded@example.com');
    const toWallet = anAddress();
    const target = associatedTokenAddress(toWallet, mint);
    const SENT = 890_880n;
    test.chain.airdrop(target, SENT);
    const request = { toWallet, amount: '1', tokenContractAddress: mint };
    const review = await test.accounts.post('user/reviewWithdrawal', request, { token: user.token });
    expect(review.data).toMatchObject({ accountRent: '0.00203928', warnings: ['first-use', 'new-account'] });
    expect((await test.withdraw(user, request)).data).toMatchObject({ status: 'confirmed' });
    await test.until(async () => (await test.sol(user)).held === 0n);
    expect(test.chain.tokens.get(target)).toMatchObject({ owner: toWallet, amount: 1_000_000n });
    // What is there already is not paid again.
    expect((await test.sol(user)).cash).toBe(SOL - FEE - RENT + SENT);
    expect(await test.difference(user)).toBe(0n);
  });

  it('of one user to another arrive there as a deposit', async () => {
    const { user, mint } = await holder('giver@example.com');
    const receiver = await test.fundedUser('receiver@example.com', SOL);
    await test.withdraw(user, { toWallet: receiver.wallet.address, amount: '1', tokenContractAddress: mint });
    await test.until(async () => (await amounts(receiver, mint)).cash === 1_000_000n);
    const list = await test.accounts.get('user/getMyDeposits', receiver.token);
    expect(list.data).toMatchObject({ lists: [{ tokenContractAddress: mint, amount: '1' }, {}] });
  });

  it('that are held can be canceled, and then everything is free again', async () => {
    const { user, mint } = await holder('held-tokens@example.com');
    test.signer.heldUntil = new Date(test.accounts.clock.nowMs() + 86_400_000);
    const request = { toWallet: anAddress(), amount: '1', tokenContractAddress: mint };
    const { id } = (await test.withdraw(user, request)).data as unknown as { id: string };
    test.signer.heldUntil = null;
    expect(await amounts(user, mint)).toMatchObject({ cash: 0n, held: 1_000_000n });
    expect((await test.sol(user)).held).toBe(FEE + RENT);
    await test.accounts.post('user/cancelWithdrawal', { id }, { token: user.token });
    expect(await amounts(user, mint)).toMatchObject({ cash: 1_000_000n, held: 0n });
    expect(await test.sol(user)).toEqual({ cash: SOL, held: 0n });
  });

  it('racing for one balance never take more than there is', async () => {
    const { user, mint } = await holder('race-tokens@example.com');
    const request = { toWallet: anAddress(), amount: '0.4', tokenContractAddress: mint };
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => test.withdraw(user, request, `race-${index}`)),
    );
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(2);
    await test.until(async () => (await amounts(user, mint)).held === 0n);
    expect(await amounts(user, mint)).toEqual({ cash: 200_000n, held: 0n, position: 200_000n });
  });

  it('refuse what cannot arrive, and leave nothing held', async () => {
    const { user, mint } = await holder('token-rules@example.com');
    const hooked = anAddress();
    const extensions = [{ extension: 'transferHook', state: { programId: anAddress() } }];
    test.chain.mints.set(hooked, { decimals: 6, owner: TOKEN_2022_PROGRAM, extensions });
    const { address: strategyAddress } = await test.strategyWallet(user);
    const toWallet = anAddress();
    const refusals: [Parameters<typeof test.withdraw>[1], object][] = [
      [{ toWallet, amount: '1.5', tokenContractAddress: mint }, { error: 'INSUFFICIENT_BALANCE' }],
      [
        { toWallet, amount: '0.0000001', tokenContractAddress: mint },
        { error: 'INVALID_INPUT', field: 'amount' },
      ],
      [
        { toWallet, amount: '1', tokenContractAddress: anAddress() },
        { error: 'WITHDRAWAL_TOKEN', reason: 'no-mint' },
      ],
      [
        { toWallet, amount: '1', tokenContractAddress: WRAPPED_SOL_MINT },
        { error: 'WITHDRAWAL_TOKEN', reason: 'wrapped-sol' },
      ],
      [{ toWallet, amount: '1', tokenContractAddress: hooked }, { reason: 'transfer-hook' }],
      [{ toWallet: strategyAddress, amount: '1', tokenContractAddress: mint }, { reason: 'strategy-wallet' }],
      [{ toWallet: strategyAddress, amount: '0.1' }, { reason: 'strategy-wallet' }],
      [{ toWallet: user.wallet.address, amount: '1', tokenContractAddress: mint }, { error: 'WITHDRAWAL_OWN_WALLET' }],
    ];
    for (const [request, refusal] of refusals) {
      expect((await test.withdraw(user, request)).data).toMatchObject(refusal);
      const review = await test.accounts.post('user/reviewWithdrawal', request, { token: user.token });
      if (!('password' in request)) expect(review.data).toMatchObject(refusal);
    }
    expect(await amounts(user, mint)).toMatchObject({ cash: 1_000_000n, held: 0n });
    expect(await test.sol(user)).toEqual({ cash: SOL, held: 0n });
  });

  it('name the rent of a Token-2022 account as the chain takes it, and a maximum only where the mint cannot be read', async () => {
    const { user } = await holder('token-2022@example.com');
    const review = async (extension: string, state: object) => {
      const mint = anAddress();
      test.chain.mints.set(mint, { decimals: 6, owner: TOKEN_2022_PROGRAM, extensions: [{ extension, state }] });
      const account = associatedTokenAddress(user.wallet.address as Address, mint, TOKEN_2022_PROGRAM);
      test.chain.receiveTokens(account, user.wallet.address as Address, mint, 1_000_000n);
      await test.until(async () => (await amounts(user, mint)).cash === 1_000_000n);
      const request = { toWallet: anAddress(), amount: '1', tokenContractAddress: mint };
      return (await test.accounts.post('user/reviewWithdrawal', request, { token: user.token })).data;
    };
    const fee = { newerTransferFee: { transferFeeBasisPoints: 100 } };
    expect(await review('transferFeeConfig', fee)).toMatchObject({
      accountRent: '0.0021576',
      accountRentIsMaximum: false,
    });
    expect(await review('somethingNew', {})).toMatchObject({ accountRent: '0.0025', accountRentIsMaximum: true });
  });

  it('need SOL for their fee and the new account', async () => {
    const { user, mint } = await holder('no-sol@example.com');
    const toWallet = anAddress();
    await test.withdraw(user, { toWallet: anAddress(), amount: '0.9985' });
    await test.until(async () => (await test.sol(user)).held === 0n);
    const reply = await test.withdraw(user, { toWallet, amount: '1', tokenContractAddress: mint });
    expect(reply.data).toMatchObject({ error: 'INSUFFICIENT_BALANCE' });
  });
});
