import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { TOKEN_2022_PROGRAM } from '@hunter/solana/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegisteredUser } from '../accounts/accounts-for-test.ts';
import { loadAlerts } from '../alerts/alert-store.ts';
import { anAddress } from './chain-for-test.ts';
import { TreasuryUnderTest } from './treasury-for-test.ts';

const SOL = 1_000_000_000n;

describe('a token whose issuer takes it out of a wallet', () => {
  let test: TreasuryUnderTest;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  const cashOf = async ({ userId }: RegisteredUser, mint: Address): Promise<bigint> => {
    const [row] = await test.accounts.database.query<{ cash: bigint }>(
      `select coalesce(sum(a.amount), 0)::numeric(40, 0) as cash from balance a join book b on b.id = a.book_id
       where b.user_id = $1 and a.asset = $2`,
      [userId, mint],
    );
    return row!.cash;
  };

  /** A user with three tokens of a mint with a permanent delegate. */
  async function holder(email: string): Promise<{ user: RegisteredUser; mint: Address; account: Address }> {
    const user = await test.fundedUser(email, SOL);
    const [wallet, mint] = [user.wallet.address as Address, anAddress()];
    const extensions = [{ extension: 'permanentDelegate', state: { delegate: anAddress() } }];
    test.chain.mints.set(mint, { decimals: 6, owner: TOKEN_2022_PROGRAM, extensions });
    const account = associatedTokenAddress(wallet, mint, TOKEN_2022_PROGRAM);
    test.chain.receiveTokens(account, wallet, mint, 3_000_000n);
    await test.until(async () => (await cashOf(user, mint)) === 3_000_000n);
    return { user, mint, account };
  }

  const told = async ({ userId }: RegisteredUser) => {
    const { lists } = await loadAlerts(test.accounts.database, userId, null);
    return lists.map(({ body }) => body).filter(({ kind }) => kind === 'security');
  };
  const audited = ({ userId }: RegisteredUser) =>
    test.accounts.database.query(`select event, detail from audit_event where user_id = $1 and event like '%outflow'`, [
      userId,
    ]);

  it('is told as taken by the issuer, and as no use of the private key', async () => {
    const { user, mint, account } = await holder('taken@example.com');
    test.symbols.set(mint, 'SOL');
    const signature = test.chain.takeTokens(account, 2_000_000n);
    await test.until(async () => (await cashOf(user, mint)) === 1_000_000n);
    // Its symbol says nothing of what it is.
    const amount = `2 SOL (${mint.slice(0, 4)}…${mint.slice(-4)})`;
    expect(await told(user)).toEqual([{ kind: 'security', event: 'issuer-outflow', detail: amount }]);
    expect(await audited(user)).toEqual([{ event: 'issuer-outflow', detail: signature }]);
    expect(test.taken).toContain(signature);
    expect(test.alarms).not.toContain(signature);
    const mails = await test.accounts.mailsTo(user.email);
    const mail = mails.find(({ subject }) => subject === `The token’s issuer took ${amount} out of your wallet`);
    expect(mail!.text).toContain('not signed with the private key');
    expect(mails.filter(({ text }) => text.includes('the key has leaked'))).toEqual([]);
  });

  it('is listed and not told where the market does not know the token, also once its mint is gone', async () => {
    const { user, mint, account } = await holder('spam@example.com');
    const first = test.chain.takeTokens(account, 1_000_000n);
    await test.until(async () => (await cashOf(user, mint)) === 2_000_000n);
    test.chain.mints.delete(mint);
    const second = test.chain.takeTokens(account, 2_000_000n);
    await test.until(async () => (await cashOf(user, mint)) === 0n);
    expect(await told(user)).toEqual([]);
    expect(await audited(user)).toEqual([]);
    expect(test.taken).toEqual(expect.arrayContaining([first, second]));
    for (const signature of [first, second]) expect(test.alarms).not.toContain(signature);
  });

  it('is told as use of the key where the wallet itself signed, or the mint lets nobody take it', async () => {
    const { user, mint, account } = await holder('own-key@example.com');
    test.symbols.set(mint, 'TAKE');
    const signed = test.chain.sendTokensOutside(account, 1_000_000n);
    await test.until(async () => (await cashOf(user, mint)) === 2_000_000n);
    test.chain.mints.set(mint, { decimals: 6, owner: TOKEN_2022_PROGRAM, extensions: [] });
    const approved = test.chain.takeTokens(account, 2_000_000n);
    await test.until(async () => (await cashOf(user, mint)) === 0n);
    expect((await told(user)).map((body) => 'event' in body && body.event)).toEqual([
      'external-outflow',
      'external-outflow',
    ]);
    expect(test.alarms).toEqual(expect.arrayContaining([signed, approved]));
  });
});
