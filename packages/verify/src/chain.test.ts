import { expect, it } from 'vitest';
import { Chain, type Fetch } from './chain.ts';
import { Published } from './published.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `name ${index}`);
const reply = (json: unknown) => ({ status: 200, headers: { get: () => null }, json: () => Promise.resolve(json) });

it('asks a node for no more accounts at once than nodes answer, and keeps their order', async () => {
  const asked: number[] = [];
  const fetch: Fetch = async (_url, init) => {
    const { params } = JSON.parse(init!.body) as { params: [string[]] };
    asked.push(params[0].length);
    return reply({
      result: { value: params[0].map((name) => ({ lamports: Number(name.slice(5)), data: ['', 'base64'] })) },
    });
  };
  const accounts = await new Chain('http://node', fetch).accounts(names(230));
  expect(asked).toEqual([100, 100, 30]);
  expect(accounts.map((account) => account?.lamports)).toEqual(names(230).map((_, index) => BigInt(index)));
});

it('asks the product for no more pools at once than it answers', async () => {
  const asked: string[] = [];
  const fetch: Fetch = async (url) => {
    const mints = new URL(url).searchParams.get('tokenContractAddress')!.split(',');
    asked.push(...mints);
    return reply({ code: mints.length > 50 ? 1001 : 200, msg: 'too many', data: { lists: [] } });
  };
  await new Published('http://product', fetch).pools(names(120));
  expect(asked).toEqual(names(120));
});
