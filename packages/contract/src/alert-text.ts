import { formatPrice } from '@hunter/domain/format/format-price';
import { formatSol } from '@hunter/domain/format/format-sol';
import { formatTokens } from '@hunter/domain/format/format-tokens';
import type { AlertBody } from './calls/alerts.ts';
import { skipText } from './skip-texts.ts';

type Language = 'en' | 'zh';
export type AlertText = { readonly title: string; readonly text: string };
type Of<Kind extends AlertBody['kind']> = Extract<AlertBody, { kind: Kind }>;
type Writers = { readonly [Kind in AlertBody['kind']]: (body: Of<Kind>) => AlertText };

/** One alert in words, the same in the bell, in mails, in push messages and in Telegram. Plain text: names come from strangers. */
export function alertText(body: AlertBody, language: Language): AlertText {
  return (writers[language][body.kind] as (body: AlertBody) => AlertText)(body);
}

const side = {
  en: { buy: 'Buy', sell: 'Sell' },
  zh: { buy: '买入', sell: '卖出' },
} as const;

const securityTexts: Readonly<Record<string, Record<Language, string>>> = {
  'password-changed': { en: 'Your password was changed', zh: '密码已修改' },
  'password-reset': { en: 'Your password was reset', zh: '密码已重置' },
  'reset-undone': { en: 'The reset of your password was undone', zh: '密码重置已撤销' },
  frozen: { en: 'Your account was frozen', zh: '账户已冻结' },
  unfrozen: {
    en: 'Your account was unfrozen; trigger orders that buy and followed wallets stay paused until you resume them',
    zh: '账户已解冻；会买入的条件单和钱包跟单保持暂停，由您手动恢复',
  },
  'factor-added': { en: 'A second factor was added', zh: '已添加二次验证' },
  'factor-removed': { en: 'A second factor was removed', zh: '已移除二次验证' },
  'factor-recovery-started': { en: 'Recovery of lost second factors was started', zh: '已发起二次验证恢复' },
  'factor-recovery-canceled': { en: 'Recovery of second factors was canceled', zh: '二次验证恢复已取消' },
  'api-key-created': { en: 'An API key was made', zh: '已创建 API 密钥' },
  'factors-recovered': { en: 'All second factors were removed', zh: '所有二次验证已移除' },
  'recovery-codes-renewed': { en: 'Your recovery codes were replaced', zh: '恢复码已更换' },
  'login-rule-changed': {
    en: 'Whether logging in needs a second factor was changed',
    zh: '登录是否需要二次验证已更改',
  },
  'key-exported': { en: 'Your private key was shown', zh: '私钥已被查看' },
  'key-export-held': { en: 'Showing your private key was requested', zh: '已申请查看私钥' },
  'external-outflow': { en: 'Funds were moved out with the private key', zh: '有资产通过私钥转出' },
  'issuer-outflow': { en: 'A token’s issuer took it out of your wallet', zh: '代币发行方从您的钱包划走了代币' },
  'new-device': { en: 'Login from a new device', zh: '新设备登录' },
  'address-saved': { en: 'A withdrawal address was saved', zh: '已保存提现地址' },
  'address-removed': { en: 'A withdrawal address was removed', zh: '已删除提现地址' },
  'limits-raised': { en: 'Your withdrawal limits were raised', zh: '提现限额已提高' },
  'push-added': { en: 'A browser gets your notifications', zh: '已有浏览器接收您的通知' },
  'telegram-linked': { en: 'A Telegram chat gets your notifications', zh: '已有 Telegram 会话接收您的通知' },
  'operator-read': { en: 'An operator looked at your data', zh: '运营人员查看了您的数据' },
};

/** Whoever has the key needs no account: a freeze would only keep the owner from moving what is left. */
const leaked = {
  en: 'If it was not you, withdraw everything to another wallet first; a freeze does not stop whoever has the key.',
  zh: '如非本人操作，请先把全部资产提现到其他钱包；冻结账户无法阻止持有私钥的人。',
};
const adviceOf: Readonly<Record<string, Record<Language, string>>> = {
  'external-outflow': leaked,
  'key-exported': leaked,
  'issuer-outflow': {
    en: 'The token lets its issuer do this; a freeze does not stop it.',
    zh: '该代币允许发行方这样做；冻结账户无法阻止。',
  },
};
const freezeAdvice = { en: 'If it was not you, freeze your account.', zh: '如非本人操作，请冻结账户。' };

const withdrawalTexts: Readonly<Record<Of<'withdrawal'>['event'], Record<Language, string>>> = {
  'withdrawal-requested': { en: 'Withdrawal requested', zh: '已申请提现' },
  'withdrawal-held': { en: 'Withdrawal held', zh: '提现暂缓' },
  'withdrawal-sent': { en: 'Withdrawal sent', zh: '提现已发送' },
  'withdrawal-failed': { en: 'Withdrawal failed', zh: '提现失败' },
  'withdrawal-canceled': { en: 'Withdrawal canceled', zh: '提现已取消' },
};

const triggerNames: Readonly<Record<string, Record<Language, string>>> = {
  limit: { en: 'Limit order', zh: '限价单' },
  'stop-loss': { en: 'Stop loss', zh: '止损' },
  'take-profit': { en: 'Take profit', zh: '止盈' },
  trailing: { en: 'Trailing stop', zh: '移动止损' },
  'trailing-stop': { en: 'Trailing stop', zh: '移动止损' },
  dca: { en: 'DCA', zh: '定投' },
  'creator-sells': { en: 'Exit when the dev sells', zh: 'Dev 卖出时退出' },
  graduates: { en: 'Exit when the token graduates', zh: '代币毕业时退出' },
  'after-time': { en: 'Exit after a time', zh: '定时退出' },
};

const noticeNames: Readonly<Record<string, Record<Language, string>>> = {
  'proven-wallets': { en: 'Smart money buys', zh: '聪明钱买入' },
  'volume-surge': { en: 'Volume surge', zh: '成交量激增' },
  breakout: { en: 'Breakout', zh: '突破' },
  'creator-buy': { en: 'Creator buys', zh: '带单员买入' },
};

const named = (names: Readonly<Record<string, Record<Language, string>>>, name: string, language: Language): string =>
  names[name]?.[language] ?? name;

const short = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;

/** With the address of a token: its symbol is chosen by whoever made it, and may be "SOL". */
const amountOf = ({ tokenContractAddress: mint, tokenSymbol, amount }: Of<'deposit'>): string =>
  mint === null ? formatSol(amount) : `${formatTokens(amount)} ${tokenSymbol} (${short(mint)})`;

const symbolsOf = ({ coins }: NonNullable<Of<'round-filled'>['joined']>): string[] =>
  coins.map(({ tokenSymbol }) => tokenSymbol);
const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

const en: Writers = {
  'round-filled': (body) =>
    body.joined === undefined
      ? {
          title: `Copied: ${side.en[body.side].toLowerCase()} ${body.tokenSymbol}`,
          text: `${body.strategyName}: your share ${formatSol(body.solAmount)}`,
        }
      : {
          title: `Follow of ${body.strategyName}`,
          text: `Bought ${list.format(symbolsOf(body.joined))} for ${formatSol(body.joined.solAmount)}`,
        },
  'round-skipped': (body) => ({
    title: `Skipped: ${side.en[body.side].toLowerCase()} ${body.tokenSymbol}`,
    text: `${body.strategyName}: ${skipText(body.reason, 'en')}`,
  }),
  'follow-stopped': (body) => ({
    title: body.by === 'stop-loss' ? 'Stop loss reached' : 'Take profit reached',
    text: `${body.strategyName}: the follow is being canceled; its tokens are sold and the SOL returns to your wallet`,
  }),
  'strategy-ended': (body) => ({
    title: 'Strategy ended',
    text: `${body.strategyName} has ended; its funds return to your wallet`,
  }),
  trigger: (body) => ({
    title: `${named(triggerNames, body.type, 'en')} ${{ filled: 'filled', failed: 'failed', expired: 'expired', reopened: 'waits again, the chain dropped its trade' }[body.outcome]}: ${body.tokenSymbol}`,
    text: `${side.en[body.side]} ${body.tokenSymbol}${body.solAmount === null ? '' : `, ${formatSol(body.solAmount)}`}`,
  }),
  price: (body) => ({
    title: `${body.tokenSymbol} is ${body.direction} ${formatPrice(body.target)}`,
    text: `Current price ${formatPrice(body.price)}`,
  }),
  wallet: (body) => ({
    title: `${body.name || short(body.address)}: ${side.en[body.side].toLowerCase()} ${body.tokenSymbol}`,
    text: formatSol(body.solAmount),
  }),
  deposit: (body) =>
    body.isMore
      ? { title: 'Many small deposits', text: 'Further ones of today are listed in Account and not told.' }
      : { title: 'Deposit received', text: amountOf(body) },
  withdrawal: (body) => ({
    title: withdrawalTexts[body.event].en,
    text: `${body.amount} to ${short(body.toWallet)}`,
  }),
  'golden-dog': (body) => ({
    title: `Golden dog alert: ${body.tokenSymbol}`,
    text: named(noticeNames, body.trigger, 'en'),
  }),
  security: (body) => ({
    title: named(securityTexts, body.event, 'en'),
    text: `${body.detail === '' ? '' : `${body.detail}. `}${(adviceOf[body.event] ?? freezeAdvice).en}`,
  }),
};

const zh: Writers = {
  'round-filled': (body) =>
    body.joined === undefined
      ? {
          title: `已跟单：${side.zh[body.side]} ${body.tokenSymbol}`,
          text: `${body.strategyName}：您的份额 ${formatSol(body.solAmount)}`,
        }
      : {
          title: `跟单 ${body.strategyName}`,
          text: `已买入 ${symbolsOf(body.joined).join('、')}，共 ${formatSol(body.joined.solAmount)}`,
        },
  'round-skipped': (body) => ({
    title: `未跟单：${side.zh[body.side]} ${body.tokenSymbol}`,
    text: `${body.strategyName}：${skipText(body.reason, 'zh')}`,
  }),
  'follow-stopped': (body) => ({
    title: body.by === 'stop-loss' ? '已触发止损' : '已触发止盈',
    text: `${body.strategyName}：跟单正在取消，代币将卖出，SOL 退回钱包`,
  }),
  'strategy-ended': (body) => ({ title: '策略已结束', text: `${body.strategyName} 已结束，资金将退回钱包` }),
  trigger: (body) => ({
    title: `${named(triggerNames, body.type, 'zh')}${{ filled: '已成交', failed: '失败', expired: '已过期', reopened: '重新等待（链上撤销了交易）' }[body.outcome]}：${body.tokenSymbol}`,
    text: `${side.zh[body.side]} ${body.tokenSymbol}${body.solAmount === null ? '' : `，${formatSol(body.solAmount)}`}`,
  }),
  price: (body) => ({
    title: `${body.tokenSymbol} ${body.direction === 'above' ? '高于' : '低于'} ${formatPrice(body.target)}`,
    text: `当前价格 ${formatPrice(body.price)}`,
  }),
  wallet: (body) => ({
    title: `${body.name || short(body.address)}：${side.zh[body.side]} ${body.tokenSymbol}`,
    text: formatSol(body.solAmount),
  }),
  deposit: (body) =>
    body.isMore
      ? { title: '多笔小额充值', text: '今天后续的小额充值不再逐一通知，可在账户中查看。' }
      : { title: '充值到账', text: amountOf(body) },
  withdrawal: (body) => ({
    title: withdrawalTexts[body.event].zh,
    text: `${body.amount} 至 ${short(body.toWallet)}`,
  }),
  'golden-dog': (body) => ({
    title: `金狗提醒：${body.tokenSymbol}`,
    text: named(noticeNames, body.trigger, 'zh'),
  }),
  security: (body) => ({
    title: named(securityTexts, body.event, 'zh'),
    text: `${body.detail === '' ? '' : `${body.detail}。`}${(adviceOf[body.event] ?? freezeAdvice).zh}`,
  }),
};

const writers: Readonly<Record<Language, Writers>> = { en, zh };
