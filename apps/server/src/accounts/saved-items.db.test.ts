import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountsUnderTest } from './accounts-for-test.ts';
import { SAVED_MAX } from './saved-items.ts';

let test: AccountsUnderTest;
beforeAll(async () => {
  test = await AccountsUnderTest.start();
});
afterAll(() => test.stop());

describe('what pages keep for a user', () => {
  it('comes back on every device, replaced and forgotten under its key, and never to anybody else', async () => {
    const [user, other] = [await test.register('keeps@example.com'), await test.register('looks@example.com')];
    const save = (key: string, value: string | null) =>
      test.post('user/saveMyItem', { kind: 'chart', key, value }, { token: user.token });
    const kept = async (token: string, query = '') =>
      (await test.get(`user/getMySavedItems?kind=chart${query}`, token)).data as unknown as {
        lists: { key: string; value: string }[];
      };
    await save('MintA', 'lines');
    await save('MintB', 'other lines');
    await save('MintA', 'newer lines');
    expect((await kept(user.token, '&key=MintA')).lists).toMatchObject([{ key: 'MintA', value: 'newer lines' }]);
    expect((await kept(user.token)).lists).toHaveLength(2);
    expect((await kept(other.token)).lists).toEqual([]);
    await save('MintA', null);
    expect((await kept(user.token)).lists).toMatchObject([{ key: 'MintB' }]);
  });

  it('lets the oldest go beyond the limit of its kind, and refuses a text that is too long', async () => {
    const user = await test.register('many-filters@example.com');
    for (let index = 0; index <= SAVED_MAX.discover; index += 1) {
      test.clock.advanceSeconds(1);
      const item = { kind: 'discover', key: `filter ${index}`, value: '{}' };
      expect(await test.post('user/saveMyItem', item, { token: user.token })).toMatchObject({ code: 200 });
    }
    const { lists } = (await test.get('user/getMySavedItems?kind=discover', user.token)).data as unknown as {
      lists: { key: string }[];
    };
    expect(lists).toHaveLength(SAVED_MAX.discover);
    expect(lists.map(({ key }) => key)).not.toContain('filter 0');
    const long = { kind: 'chart', key: 'MintA', value: 'x'.repeat(16_001) };
    expect(await test.post('user/saveMyItem', long, { token: user.token })).toMatchObject({ code: 1000 });
  });
});

describe('invites', () => {
  it('say who used them, by name, and who invited', async () => {
    const inviter = await test.register('inviter@example.com');
    const { lists } = (await test.get('user/getMyInvites', inviter.token)).data as unknown as {
      lists: { code: string }[];
    };
    const guest = await test.register('guest@example.com', { inviteCode: lists[0]!.code });
    const nameOf = async (userId: string) =>
      (
        await test.database.query<{ name: string }>(`select display_name as name from users where id = $1`, [userId])
      )[0]!.name;
    expect((await test.get('user/getMyInvites', inviter.token)).data).toMatchObject({
      invitedBy: null,
      lists: [{ usedBy: [{ name: await nameOf(guest.userId) }] }, { usedBy: [] }, { usedBy: [] }],
    });
    expect((await test.get('user/getMyInvites', guest.token)).data).toMatchObject({
      invitedBy: await nameOf(inviter.userId),
    });
  });
});
