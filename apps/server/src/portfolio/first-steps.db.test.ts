import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccountsUnderTest } from '../accounts/accounts-for-test.ts';
import { loadFirstSteps } from './first-steps.ts';

let test: AccountsUnderTest;
beforeAll(async () => {
  test = await AccountsUnderTest.start();
});
afterAll(() => test.stop());

it('is told by what has happened in the account, and by whether the guide was left', async () => {
  const user = await test.register('new@example.com');
  const steps = () => loadFirstSteps(test.database, user.userId);
  const none = {
    deposited: false,
    found: false,
    bought: false,
    protected: false,
    followed: false,
    recorded: false,
    left: false,
  };
  expect(await steps()).toEqual(none);
  await test.database.write(
    `insert into wallet_movement (user_id, wallet_id, wallet_address, signature, asset, decimals, amount, slot, at)
     select user_id, id, address, 'sig', 'SOL', 9, 5, 600, now() from wallet where user_id = $1`,
    [user.userId],
  );
  await test.database.write(`insert into watched_token (user_id, mint) values ($1, 'Mint1')`, [user.userId]);
  await test.post('user/saveMyItem', { kind: 'guide', key: 'first-hour', value: 'left' }, { token: user.token });
  expect(await steps()).toEqual({ ...none, deposited: true, found: true, left: true });
});

it('counts a buy of the personal book, and its value once the account has recorded it', async () => {
  const user = await test.register('buyer@example.com');
  await test.database.write(
    `insert into fill (reference, user_id, book_id, mint, kind, tokens, lamports, at)
     select 'f', user_id, id, 'Mint1', 'buy', 10, 20, now() from book where user_id = $1 and kind = 'personal'`,
    [user.userId],
  );
  const steps = () => loadFirstSteps(test.database, user.userId);
  expect(await steps()).toMatchObject({ found: true, bought: true, protected: false, recorded: false });
  await test.database.write(
    `insert into equity_point (user_id, at, equity_lamports, profit_lamports, sol_lamports)
     values ($1, now() + interval '1 minute', 5, 0, 5)`,
    [user.userId],
  );
  expect(await steps()).toMatchObject({ bought: true, recorded: true });
});
