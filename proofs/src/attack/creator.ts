import { randomUUID } from 'node:crypto';
import { type ProductUser, until } from '../../../scripts/product-client.ts';
import { askAgain, insistAgain } from './ask-again.ts';
import { fundedUser } from './funded-user.ts';
import type { Scenes } from './scenes.ts';

// Plays a creator who wants his followers to pay for what he holds himself.

const STAKE = '1';
const FOLLOWED_WITH = '3';

export async function playCreator(scenes: Scenes, web: string, mints: readonly string[]): Promise<void> {
  const [creator, follower] = await Promise.all([fundedUser(web, 'creator'), fundedUser(web, 'follower')]);
  const asking = { token: creator.token };
  const name = `Alpha ${randomUUID().slice(0, 8)}`;
  const wanted = { name, capital: STAKE, coins: [], autoClear: true };
  const { slug, bookId } = await running(web, creator, await done(web, 'createStrategy', wanted, creator));
  await done(web, 'followStrategy', { slug, mode: 'sol', amount: FOLLOWED_WITH }, follower);
  await until(async () => (await myFollows(web, follower)).some(({ status }) => status === 'active'), 'the follow');

  await scenes.call('creator: follow himself', 'followStrategy', { slug, mode: 'sol', amount: '1' }, asking, null);
  await scenes.call('creator: a second strategy of that name', 'createStrategy', wanted, asking, null);
  const theirs = { token: follower.token };
  await scenes.call('follower: end the strategy', 'closeStrategy', { slug }, theirs, null);

  const [mint = ''] = mints;
  const trade = { tokenContractAddress: mint, side: 'buy', slippageBps: 2000 };
  await scenes.call(
    'follower: trade in the strategy',
    'tokenTransfer',
    { ...trade, amount: '0.2', bookId },
    theirs,
    null,
  );
  await bought(web, creator, { ...trade, amount: '0.3' });
  await bought(web, creator, { ...trade, amount: '0.2', bookId });
  const { books } = (await insistAgain(web, 'getMyTokenAmount', { tokenContractAddress: mint }, asking)) as {
    books: { bookId: string; bookKind: string }[];
  };
  const own = books.find(({ bookKind }) => bookKind === 'personal')!;
  await scenes.call(
    'creator: sell his own right after his strategy bought',
    'tokenClose',
    { tokenContractAddress: mint, bookId: own.bookId, slippageBps: 2000 },
    asking,
    null,
  );
  const { lists } = (await insistAgain(web, 'getMyPositions', { tokenContractAddress: mint }, theirs)) as {
    lists: unknown[];
  };
  scenes.note('what the follower bought after the creator', `${lists.length} positions`, lists.length === 0);
  await scenes.call('creator: end the strategy', 'closeStrategy', { slug }, asking, 'done');
}

async function done(
  web: string,
  name: 'createStrategy' | 'followStrategy' | 'tokenTransfer',
  request: object,
  { token }: ProductUser,
): Promise<Record<string, unknown>> {
  return insistAgain(web, name, request, { token, idempotencyKey: randomUUID() });
}

async function running(
  web: string,
  { token }: ProductUser,
  { slug }: Record<string, unknown>,
): Promise<{ slug: string; bookId: string }> {
  const detail = await until(async () => {
    const { data } = await askAgain(web, 'getStrategyDetail', { slug }, { token });
    return data['status'] === 'running' && data;
  }, 'the strategy to run');
  return { slug: String(slug), bookId: String(detail['bookId']) };
}

async function myFollows(web: string, { token }: ProductUser): Promise<{ status: string }[]> {
  return ((await insistAgain(web, 'getMyFollows', {}, { token })) as { lists: { status: string }[] }).lists;
}

/** An order that dies with a part of the product ends the try: what follows would prove nothing. */
async function bought(web: string, user: ProductUser, request: object): Promise<void> {
  const { id } = await done(web, 'tokenTransfer', request, user);
  const { status } = await until(async () => {
    const order = (await insistAgain(web, 'getOrder', { id }, { token: user.token })) as { status: string };
    return !['pending', 'sent'].includes(order.status) && order;
  }, 'the purchase to end');
  if (status !== 'confirmed' && status !== 'finalized') throw new Error(`the purchase is ${status}`);
}
