import type { CallName } from '@hunter/contract/calls';
import { Keypair } from '@hunter/solana/keypair';
import { createECDH, randomUUID } from 'node:crypto';
import {
  hotMints,
  insist,
  registerUser,
  until,
  untilFunded,
  type ProductUser,
} from '../../../scripts/product-client.ts';

// A victim with one of everything that users have, for the attacks that try to reach it.

export const TRACKED_AS = 'a name of the victim only';
/** Below any price of the market. */
const LOW_SOL = '0.000000001';
const PUSH_KEY = createECDH('prime256v1').generateKeys('base64url');

export type Stage = {
  web: string;
  victim: ProductUser;
  attacker: ProductUser;
  /** A session of the attacker that was logged out. */
  endedToken: string;
  mint: string;
  /** A strategy that the victim created, one that the victim follows, one of which the victim has nothing. */
  ownSlug: string;
  followedSlug: string;
  strangerSlug: string;
  personalBook: string;
  strategyBook: string;
  followBook: string;
  followId: string;
  orderId: string;
  withdrawalId: string;
  sessionId: string;
  priceAlertId: string;
  apiKeyId: string;
  triggerId: string;
  walletFollowId: string;
  paperFollowId: string;
  paperWalletFollowId: string;
  pushDeviceId: string;
  /** Keys of the victim in the hands of a thief. */
  stolenKeys: { read: string; trade: string };
};

/** What the victim has, as one text: whatever the attacker does must leave it as it was. */
export async function possessions({ web, victim, orderId, followedSlug }: Stage): Promise<string> {
  const asking = { token: victim.token };
  const sessions = (await insist(web, 'getMySessions', {}, asking)) as { lists: { id: string }[] };
  const withdrawals = (await insist(web, 'getMyWithdrawals', {}, asking)) as {
    lists: { id: string; status: string }[];
  };
  const follows = (await insist(web, 'getMyFollows', {}, asking)) as { lists: { id: string; status: string }[] };
  const settings = await insist(web, 'getMySettings', {}, asking);
  const order = await insist(web, 'getOrder', { id: orderId }, asking);
  const strategies = (await insist(web, 'getStrategyList', { scope: 'created' }, asking)) as {
    lists: { slug: string; status: string }[];
  };
  const tracked = (await insist(web, 'getMyTrackedWallets', {}, asking)) as { lists: { name: string }[] };
  const states = async (name: CallName): Promise<string[]> => {
    const { lists } = (await insist(web, name, {}, asking)) as { lists: { id: string; status?: string }[] };
    return lists.map(({ id, status }) => `${id} ${status}`).sort();
  };
  return JSON.stringify([
    await states('getMyTriggers'),
    await states('getMyWalletFollows'),
    await states('getMyPaperFollows'),
    await states('getMyPaperWalletFollows'),
    await states('getMyApiKeys'),
    await states('getMyPriceAlerts'),
    (await insist(web, 'getMyAlertChannels', {}, asking))['push'],
    tracked.lists.map((row) => row.name),
    sessions.lists.map((row) => row.id).sort(),
    withdrawals.lists.map((row) => [row.id, row.status]),
    follows.lists.map((row) => [row.id, row.status]),
    strategies.lists.map((row) => [row.slug, row.status]),
    settings,
    order['amountOut'],
    followedSlug,
  ]);
}

/** A victim with one of everything, and an attacker with an account of their own. Needs SIGNER_LARGE_SOL of at most 1. */
export async function setStage(web: string): Promise<Stage> {
  const run = randomUUID().slice(0, 8);
  const names = ['victim', 'attacker', 'creator'] as const;
  const [victim, attacker, creator] = (await Promise.all(
    names.map((name) => registerUser(web, `${name}-${run}@example.com`)),
  )) as [ProductUser, ProductUser, ProductUser];
  await Promise.all([victim, attacker, creator].map((user) => untilFunded(web, user)));
  const asVictim = { token: victim.token };
  const [mint] = (await hotMints(web)) as [string];
  const create = async (user: ProductUser, name: string) =>
    (await insist(web, 'createStrategy', { name, capital: '1', autoClear: true }, { token: user.token })) as {
      slug: string;
      bookId: string;
    };
  const own = await create(victim, `Own ${run}`);
  const followed = await create(creator, `Followed ${run}`);
  const stranger = await create(creator, `Stranger ${run}`);
  const follow = (await insist(web, 'followStrategy', { slug: followed.slug, mode: 'sol', amount: '1' }, asVictim)) as {
    id: string;
    bookId: string;
  };
  const order = await insist(
    web,
    'tokenTransfer',
    { tokenContractAddress: mint, side: 'buy', amount: '0.1' },
    asVictim,
  );
  await until(
    async () => (await insist(web, 'getOrder', { id: order['id'] }, asVictim))['status'] === 'finalized',
    'the victim to have bought',
  );
  const withdrawal = await insist(
    web,
    'withdrawal',
    { toWallet: Keypair.generate().address, amount: '2', password: victim.password },
    asVictim,
  );
  if (withdrawal['status'] !== 'held') throw new Error('the withdrawal is not held: set SIGNER_LARGE_SOL to 1');
  const books = (await insist(web, 'getMyTokenAmount', { tokenContractAddress: mint }, asVictim)) as {
    books: { bookId: string; bookKind: string }[];
  };
  const sessions = (await insist(web, 'getMySessions', {}, asVictim)) as { lists: { id: string }[] };
  await insist(web, 'trackWallet', { address: attacker.address, name: TRACKED_AS }, asVictim);
  const priceAlert = await insist(
    web,
    'createPriceAlert',
    { tokenContractAddress: mint, direction: 'above', target: '123456' },
    asVictim,
  );
  const newKey = async (scope: 'read' | 'trade') =>
    (await insist(
      web,
      'createApiKey',
      {
        id: randomUUID(),
        name: `${scope} bot`,
        scope,
        days: 1,
        requestsPerSecond: 50,
        password: victim.password,
        ...(scope === 'trade' && { dailySol: '0.1' }),
      },
      asVictim,
    )) as { key: string; apiKey: { id: string } };
  const [readKey, tradeKey] = [await newKey('read'), await newKey('trade')];
  const stop = {
    tokenContractAddress: mint,
    triggers: [{ kind: 'stop-loss', level: { unit: 'sol', value: LOW_SOL } }],
  };
  const { lists: triggers } = (await insist(web, 'placeTrigger', stop, asVictim)) as { lists: { id: string }[] };
  const watched = { address: creator.address, name: 'watched', amount: '0.1' };
  const walletFollow = await insist(web, 'followWallet', watched, asVictim);
  const paperWalletFollow = await insist(web, 'startPaperWalletFollow', watched, asVictim);
  const onPaper = { slug: followed.slug, mode: 'sol', amount: '1' };
  const paperFollow = await insist(web, 'startPaperFollow', onPaper, asVictim);
  const pushDevice = await insist(
    web,
    'addPushDevice',
    { endpoint: 'http://127.0.0.1:9/victim', p256dh: PUSH_KEY, auth: 'A'.repeat(22) },
    asVictim,
  );
  const second = await insist(web, 'login', { email: attacker.email, password: attacker.password });
  await insist(web, 'logout', {}, { token: String(second['token']) });
  return {
    web,
    victim,
    attacker,
    endedToken: String(second['token']),
    mint,
    ownSlug: own.slug,
    followedSlug: followed.slug,
    strangerSlug: stranger.slug,
    personalBook: books.books.find((book) => book.bookKind === 'personal')!.bookId,
    strategyBook: own.bookId,
    followBook: follow.bookId,
    followId: follow.id,
    orderId: String(order['id']),
    withdrawalId: String(withdrawal['id']),
    sessionId: sessions.lists[0]!.id,
    priceAlertId: String(priceAlert['id']),
    apiKeyId: tradeKey.apiKey.id,
    triggerId: triggers[0]!.id,
    walletFollowId: String(walletFollow['id']),
    paperFollowId: String(paperFollow['id']),
    paperWalletFollowId: String(paperWalletFollow['id']),
    pushDeviceId: String(pushDevice['id']),
    stolenKeys: { read: readKey.key, trade: tradeKey.key },
  };
}
