import type { Call } from '@hunter/contract/call';
import { calls, type CallName } from '@hunter/contract/calls';
import { keyScopes, type KeyScope } from '@hunter/contract/key-scopes';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Answer } from '../../../scripts/product-client.ts';
import { possessions, TRACKED_AS, type Stage } from './stage.ts';

// Every call × anonymous, ended session, forged token, other user; and × a stolen key of either scope. Operators have no call: what
// they do needs the machine. The matrix is typed by the contract: a new call without a row does not compile, and `missingRows` fails
// the test where types were bypassed.

type Pair = { theirs: object; nobodys: object };

/**
 * `plain`: a request that names nothing of anybody's; the answer must carry nothing of the victim's.
 * `pairs`: requests that name the victim's things, each with one that names nothing that exists: the answers must be equal.
 */
type Row = { plain?: (stage: Stage) => object; pairs?: (stage: Stage) => Pair[] };

const byBook = (rest: (stage: Stage) => object) => (stage: Stage) =>
  [stage.personalBook, stage.strategyBook, stage.followBook].map((bookId) => ({
    theirs: { ...rest(stage), bookId },
    nobodys: { ...rest(stage), bookId: randomUUID() },
  }));
const byId =
  (...idsOf: ((stage: Stage) => string)[]) =>
  (stage: Stage) =>
    idsOf.map((idOf) => ({ theirs: { id: idOf(stage) }, nobodys: { id: randomUUID() } }));
/** Strategies are public, follows are not: to the attacker a strategy looks the same whether or not the victim follows it. */
const bySlug = (stage: Stage) => [
  { theirs: { slug: stage.followedSlug }, nobodys: { slug: stage.strangerSlug } },
  { theirs: { slug: stage.ownSlug }, nobodys: { slug: stage.strangerSlug } },
];
const withMore = ({ theirs, nobodys }: Pair, more: object): Pair => ({
  theirs: { ...theirs, ...more },
  nobodys: { ...nobodys, ...more },
});
const ofStopLoss = (stage: Stage) => ({
  tokenContractAddress: stage.mint,
  triggers: [{ kind: 'stop-loss', level: { unit: 'sol', value: '0.000000001' } }],
});
const ofTrigger = {
  pairs: byId(
    (stage) => stage.triggerId,
    (stage) => stage.orderId,
  ),
};
const ofWalletFollow = byId((stage) => stage.walletFollowId);
const nothing = { plain: () => ({}) };
const password = 'not the password 1';
const mailed = { verificationCode: '000000', password, confirmPassword: password };

export const matrix: Record<CallName, Row> = {
  getConfig: nothing,
  getReserves: nothing,
  getReserveWallets: nothing,
  getMyReserveProofs: nothing,
  faucet: { plain: () => ({ amount: '0.1' }) },
  // Open to everybody on purpose, in local mode only: there it stands in for the mail provider.
  mailbox: { plain: (stage) => ({ email: stage.attacker.email }) },
  sendEmailCode: {
    pairs: (stage) => [
      {
        theirs: { email: stage.victim.email, purpose: 'reset' },
        nobodys: { email: `${randomUUID()}@example.com`, purpose: 'reset' },
      },
    ],
  },
  register: {
    pairs: (stage) => [
      {
        theirs: { email: stage.victim.email, ...mailed, inviteCode: 'HUNTER', agreement: true },
        nobodys: { email: `${randomUUID()}@example.com`, ...mailed, inviteCode: 'HUNTER', agreement: true },
      },
    ],
  },
  login: {
    pairs: (stage) => [
      { theirs: { email: stage.victim.email, password }, nobodys: { email: `${randomUUID()}@example.com`, password } },
      {
        theirs: { email: stage.victim.email, factor: { kind: 'totp', code: '000000' } },
        nobodys: { email: `${randomUUID()}@example.com`, factor: { kind: 'totp', code: '000000' } },
      },
    ],
  },
  resetPassword: {
    pairs: (stage) => [
      {
        theirs: { email: stage.victim.email, ...mailed },
        nobodys: { email: `${randomUUID()}@example.com`, ...mailed },
      },
    ],
  },
  undoPasswordReset: {
    pairs: (stage) => [
      { theirs: { email: stage.victim.email, password }, nobodys: { email: `${randomUUID()}@example.com`, password } },
    ],
  },
  cancelKeyExport: nothing,
  freezeAccount: { plain: () => ({ token: 'A'.repeat(43) }) },
  unfreezeAccount: {
    pairs: (stage) => [
      {
        theirs: { email: stage.victim.email, password, verificationCode: '000000' },
        nobodys: { email: `${randomUUID()}@example.com`, password, verificationCode: '000000' },
      },
    ],
  },
  getMyAlerts: { plain: () => ({ cursor: '999999999999' }) },
  readMyAlerts: { plain: () => ({ id: '999999999999' }) },
  getMyOperatorReads: nothing,
  logout: {},
  myWallet: nothing,
  getMySessions: nothing,
  revokeSession: { pairs: byId((stage) => stage.sessionId) },
  changePassword: {
    plain: () => ({
      oldPassword: password,
      password: 'a fine new password 2',
      confirmPassword: 'a fine new password 2',
    }),
  },
  exportKey: { plain: () => ({ password, verificationCode: '000000' }) },
  getMyApiKeys: nothing,
  createApiKey: {
    plain: () => ({ id: randomUUID(), name: 'bot', scope: 'read', days: 1, password: 'not the password' }),
  },
  revokeApiKey: { pairs: byId((stage) => stage.apiKeyId) },
  getMySavedItems: { plain: () => ({ kind: 'chart' }) },
  saveMyItem: { plain: (stage) => ({ kind: 'chart', key: stage.mint, value: 'lines' }) },
  getMyFirstSteps: nothing,
  getMyFactors: nothing,
  startTotp: { plain: () => ({ password: 'not the password' }) },
  confirmTotp: { plain: () => ({ password: 'not the password', id: randomUUID(), code: '000000', name: 'app' }) },
  enrolPasskey: {
    plain: () => ({ password: 'not it', id: randomUUID(), name: 'key', clientDataJson: 'AA', authenticatorData: 'AA' }),
  },
  removeFactor: { plain: () => ({ password: 'not the password', id: 'AAAA' }) },
  renewRecoveryCodes: { plain: () => ({ password: 'not the password', id: randomUUID() }) },
  setLoginRule: { plain: () => ({ password: 'not the password', id: randomUUID(), on: false }) },
  startRecovery: { plain: () => ({ password: 'not the password' }) },
  cancelRecovery: {},
  finishRecovery: { plain: () => ({ password: 'not the password' }) },
  getMyInvites: nothing,
  getMyAuditLog: { plain: () => ({ cursor: '999999999999' }) },
  getMySettings: nothing,
  getMyWatchlist: nothing,
  watchToken: { plain: (stage) => ({ tokenContractAddress: stage.mint, watched: true }) },
  saveMySettings: { plain: () => ({ slippageBps: 150 }) },
  reviewWithdrawal: { plain: (stage) => ({ toWallet: stage.victim.address, amount: '0.1' }) },
  getMailedWithdrawal: { plain: () => ({ token: 'A'.repeat(43) }) },
  cancelMailedWithdrawal: { plain: () => ({ token: 'A'.repeat(43) }) },
  getMyWithdrawalAddresses: nothing,
  saveWithdrawalAddress: { plain: (stage) => ({ toWallet: stage.victim.address, label: 'somebody' }) },
  removeWithdrawalAddress: { plain: (stage) => ({ toWallet: stage.victim.address }) },
  getMyWithdrawalLimits: nothing,
  saveMyWithdrawalLimits: { plain: () => ({ dailySol: '5', delaysNew: false, password }) },
  withdrawal: { plain: (stage) => ({ toWallet: stage.victim.address, amount: '0.1', password }) },
  cancelWithdrawal: {
    pairs: byId(
      (stage) => stage.withdrawalId,
      (stage) => stage.orderId,
    ),
  },
  getMyWithdrawals: nothing,
  getMyDeposits: nothing,
  getTokenList: nothing,
  getTokenHotList: nothing,
  getTokenDiscover: { plain: () => ({ list: 'watchlist' }) },
  getTokenBaseInfo: { plain: (stage) => ({ tokenContractAddress: stage.mint }) },
  getTokenTransactionData: { plain: (stage) => ({ tokenContractAddress: stage.mint, type: 'mine' }) },
  getTokenHolders: { plain: (stage) => ({ tokenContractAddress: stage.mint }) },
  getTokenGoldenDogNotice: nothing,
  tokenPrice: { plain: (stage) => ({ tokenContractAddress: stage.mint }) },
  getTokenPools: { plain: (stage) => ({ tokenContractAddress: stage.mint }) },
  kline: { plain: (stage) => ({ tokenContractAddress: stage.mint }) },
  // The victim tracks the attacker's wallet under a name of its own.
  getWallet: { plain: (stage) => ({ address: stage.attacker.address }) },
  getWalletHoldings: { plain: (stage) => ({ address: stage.victim.address }) },
  getWalletTrades: { plain: (stage) => ({ address: stage.victim.address }) },
  getTraders: nothing,
  getMyTrackedWallets: nothing,
  trackWallet: { plain: (stage) => ({ address: stage.victim.address, name: 'somebody' }) },
  untrackWallet: { plain: (stage) => ({ address: stage.attacker.address }) },
  getChainTransaction: { plain: () => ({ signature: '5'.repeat(88) }) },
  getChainAddress: { plain: (stage) => ({ address: stage.victim.address }) },
  getChainSignatures: { plain: (stage) => ({ address: stage.victim.address }) },
  quote: { pairs: byBook((stage) => ({ tokenContractAddress: stage.mint, side: 'sell', amount: '1' })) },
  tokenTransfer: { pairs: byBook((stage) => ({ tokenContractAddress: stage.mint, side: 'sell', amount: '1' })) },
  tokenClose: { pairs: byBook((stage) => ({ tokenContractAddress: stage.mint })) },
  getOrder: {
    pairs: byId(
      (stage) => stage.orderId,
      (stage) => stage.withdrawalId,
      (stage) => stage.followId,
    ),
  },
  getMyTokenAmount: { plain: (stage) => ({ tokenContractAddress: stage.mint }) },
  getMyPositions: nothing,
  hideToken: { plain: (stage) => ({ tokenContractAddress: stage.mint, hidden: false }) },
  getMyForeignAccounts: nothing,
  getMyAccount: nothing,
  getMyTradeRecord: { plain: () => ({ type: 'strategy' }) },
  placeTrigger: { pairs: byBook(ofStopLoss) },
  previewTrigger: { pairs: byBook(ofStopLoss) },
  editTrigger: { pairs: (stage) => ofTrigger.pairs(stage).map((pair) => withMore(pair, { slippageBps: 500 })) },
  pauseTrigger: ofTrigger,
  resumeTrigger: ofTrigger,
  cancelTrigger: ofTrigger,
  cancelAllTriggers: { pairs: byBook(() => ({})) },
  getMyTriggers: nothing,
  getStrategyList: { plain: () => ({ scope: 'followed' }) },
  getStrategyDetail: { plain: (stage) => ({ slug: stage.ownSlug }) },
  getCreator: { plain: () => ({ name: 'nobody' }) },
  getStrategyYield: { plain: (stage) => ({ slug: stage.ownSlug }) },
  getStrategyTrades: { plain: (stage) => ({ slug: stage.ownSlug }) },
  createStrategy: { plain: () => ({ name: 'x', capital: '1', autoClear: true }) },
  previewStrategy: { plain: () => ({ capital: '1', coins: [] }) },
  // Whose strategy it is is public; that nobody else changes it is what counts.
  rebalance: { pairs: (stage) => bySlug(stage).map((pair) => withMore(pair, { coins: [] })) },
  closeStrategy: { pairs: bySlug },
  followStrategy: { plain: (stage) => ({ slug: stage.ownSlug, mode: 'sol', amount: '5000' }) },
  cancelFollow: { pairs: bySlug },
  changeFollowFunds: {
    pairs: (stage) => bySlug(stage).map((pair) => withMore(pair, { action: 'reduce', amount: '0.1' })),
  },
  updateFollow: { pairs: bySlug },
  previewFollow: { plain: (stage) => ({ slug: stage.ownSlug, mode: 'sol', amount: '1' }) },
  previewWalletFollow: { plain: (stage) => ({ address: stage.victim.address }) },
  followWallet: { plain: (stage) => ({ address: stage.victim.address, name: 'x', amount: '0.1' }) },
  updateWalletFollow: { pairs: (stage) => ofWalletFollow(stage).map((pair) => withMore(pair, { paused: true })) },
  endWalletFollow: { pairs: ofWalletFollow },
  getMyWalletFollows: nothing,
  getWalletFollowReceipts: { pairs: ofWalletFollow },
  startPaperWalletFollow: { plain: (stage) => ({ address: stage.victim.address, name: 'x', amount: '1' }) },
  endPaperWalletFollow: { pairs: byId((stage) => stage.paperWalletFollowId) },
  getMyPaperWalletFollows: nothing,
  simulateWalletFollow: { plain: (stage) => ({ address: stage.victim.address, amount: '1' }) },
  simulateFollow: { plain: (stage) => ({ slug: stage.ownSlug, mode: 'sol', amount: '1' }) },
  startPaperFollow: { plain: (stage) => ({ slug: stage.ownSlug, mode: 'sol', amount: '1' }) },
  endPaperFollow: { pairs: byId((stage) => stage.paperFollowId) },
  getMyPaperFollows: nothing,
  previewCancel: { pairs: bySlug },
  getMyFollows: nothing,
  getCopyReceipts: { pairs: bySlug },
  getMyAlertChoices: nothing,
  saveMyAlertChoice: { plain: () => ({ kind: 'deposit', channels: ['app'] }) },
  getMyAlertChannels: nothing,
  addPushDevice: {
    plain: () => ({ endpoint: 'https://push.example/x', p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }),
  },
  // Answers the same for a device of another user, of nobody and of one's own that is gone.
  removePushDevice: { plain: (stage) => ({ id: stage.pushDeviceId }) },
  connectTelegram: nothing,
  disconnectTelegram: nothing,
  getMyPriceAlerts: nothing,
  createPriceAlert: {
    plain: (stage) => ({ tokenContractAddress: stage.mint, direction: 'above', target: '1000000' }),
  },
  deletePriceAlert: { pairs: byId((stage) => stage.priceAlertId) },
  getMyEquity: nothing,
  getMyPortfolio: nothing,
  getMyRealized: { plain: () => ({ month: '2026-11' }) },
  getCopyProof: { plain: () => ({ slug: 'nothing', id: '0196a1b2-c3d4-7e5f-8a9b-000000000001' }) },
};

export function missingRows(): string[] {
  return Object.keys(calls).filter((name) => !(name in matrix));
}

/** How often a pair of answers may differ before it counts. */
const READS_COMPARED = 10;

export type MatrixResult = { calls: number; checks: number; leaks: string[] };

export async function checkAuthorisation(stage: Stage): Promise<MatrixResult> {
  const leaks: string[] = [];
  let checks = 0;
  const before = await possessions(stage);
  for (const [name, definition] of Object.entries(calls) as [CallName, Call][]) {
    const row = matrix[name];
    const pairs = row.pairs?.(stage) ?? [];
    const plain = row.plain?.(stage) ?? (pairs.length === 0 ? {} : null);
    for (const [who, token] of callers(stage)) {
      // Logging the attacker out would end the test; that it ends no other session is seen by the victim's below.
      if (name === 'logout' && who === 'other user') continue;
      const asking = token === null ? {} : { token };
      const judge = (answer: Answer, request: object): void => {
        checks += 1;
        const isRefused = answer.status === 401 && answer.code === 401;
        if (definition.access === 'user' && who !== 'other user' && !isRefused) {
          leaks.push(`${name} answers ${answer.status}/${answer.code} to ${who}`);
        }
        for (const word of strayWords(stage, answer)) leaks.push(`${name} tells ${who} the victim's ${word}`);
        if (request !== plain && answer.code === 200 && definition.effect !== 'read' && name !== 'sendEmailCode') {
          leaks.push(`${name} succeeds for ${who} with ${JSON.stringify(request)}`);
        }
      };
      if (plain) judge(await ask(stage.web, name, plain, asking), plain);
      // Tries at an account without a session slow each other down, so that one caller makes them.
      const isTry = definition.access === 'open' && definition.effect !== 'read';
      for (const { theirs, nobodys } of isTry && who !== 'anonymous' ? [] : pairs) {
        let difference: string | null = null;
        // Prices and the time of day change between two questions; what tells theirs from nobody's would stay.
        for (let left = definition.effect === 'read' ? READS_COMPARED : 1; left > 0; left -= 1) {
          const first = await ask(stage.web, name, theirs, asking);
          const second = await ask(stage.web, name, nobodys, asking);
          judge(first, theirs);
          difference = differenceOf(first, second);
          if (difference === null) break;
        }
        if (difference !== null) leaks.push(`${name} tells ${difference}`);
      }
    }
  }
  const after = await possessions(stage);
  if (after !== before) leaks.push(`the victim's things changed from ${before} to ${after}`);
  return { calls: Object.keys(calls).length, checks, leaks };
}

/** Every call × a stolen key of the victim: which calls open to it is what the contract says, and nothing else. */
export async function checkStolenKeys({ web, stolenKeys, ...rest }: Stage): Promise<string[]> {
  const leaks: string[] = [];
  for (const [scope, bearer] of Object.entries(stolenKeys) as [KeyScope, string][]) {
    for (const name of Object.keys(calls) as CallName[]) {
      const needs = keyScopes[name];
      const isRefused = needs === 'session' || (needs === 'trade' && scope === 'read');
      // What a trade key may do is tried by the tests of its limits; here it would spend the victim's money.
      if (!isRefused && needs === 'trade') continue;
      const row = matrix[name];
      const stage = { web, stolenKeys, ...rest };
      const request = row.plain?.(stage) ?? row.pairs?.(stage)[0]?.theirs ?? {};
      let answer = await ask(web, name, request, { bearer });
      for (let left = 50; answer.code === 429 && left > 0; left -= 1) {
        await delay(100);
        answer = await ask(web, name, request, { bearer });
      }
      const refused = answer.status === 403 && answer.data['error'] === 'API_KEY_SCOPE';
      if (refused !== isRefused) leaks.push(`${name} answers ${answer.status}/${answer.code} to a ${scope} key`);
      if (JSON.stringify(answer.data).includes(rest.victim.email)) leaks.push(`${name} tells a ${scope} key the email`);
    }
  }
  return leaks;
}

/** Each waits from its own question on, and on a busy machine seconds lie between the two. */
const SAME_WAIT_SECONDS = 30;

export function differenceOf(first: Answer, second: Answer): string | null {
  const [one, other] = [JSON.stringify(first), JSON.stringify(second)];
  const [wait, otherWait] = [first, second].map(({ data }) => Number(data['retryAfterSeconds']));
  const isSameWait = Math.abs(wait! - otherWait!) < SAME_WAIT_SECONDS;
  const compared = isSameWait ? other.replaceAll(new RegExp(`\\b${otherWait}\\b`, 'g'), String(wait)) : other;
  return one === compared ? null : `${one} from ${other}`;
}

function callers(stage: Stage): [who: string, token: string | null][] {
  return [
    ['anonymous', null],
    ['ended session', stage.endedToken],
    ['forged token', `${'A'.repeat(42)}E`],
    ['other user', stage.attacker.token],
  ];
}

/** Nothing that only the victim should know may be in anybody else's answer. Addresses on chain are public. */
function strayWords(stage: Stage, { data, msg }: Answer): string[] {
  const text = JSON.stringify(data) + msg;
  const secrets = {
    email: stage.victim.email,
    token: stage.victim.token,
    'personal book': stage.personalBook,
    'strategy book': stage.strategyBook,
    'follow book': stage.followBook,
    follow: stage.followId,
    order: stage.orderId,
    withdrawal: stage.withdrawalId,
    session: stage.sessionId,
    'name for a wallet': TRACKED_AS,
    'price alert': stage.priceAlertId,
    'API key': stage.apiKeyId,
    trigger: stage.triggerId,
    'wallet follow': stage.walletFollowId,
    'paper follow': stage.paperFollowId,
    'paper wallet follow': stage.paperWalletFollowId,
    'push device': stage.pushDeviceId,
  };
  return Object.entries(secrets)
    .filter(([, secret]) => text.includes(secret))
    .map(([what]) => what);
}
