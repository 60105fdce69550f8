import type { Language, MailContent } from './mail-frame.ts';
import { renderMail } from './mail-frame.ts';
import type { MailedEvent } from './security-event.ts';

export type MailLinks = { freeze: string; undoReset: string; unfreeze: string; cancel: string | null };

type Text = { subject: string; lines: string[]; facts?: [string, string][]; action?: [string, string] };
type TextOf<Kind extends MailedEvent['kind']> = (event: Extract<MailedEvent, { kind: Kind }>, links: MailLinks) => Text;

/** Minutes are enough: `2026-11-19 08:15 UTC`. */
function minute(timeMs: number): string {
  const text = new Date(timeMs).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}

// Whoever has the key needs no account: neither a reset nor a freeze stops him, and a reset limits the owner's own
// withdrawals. So the advice after a leak is to move the funds first.
const leakEn =
  'If it was not you, the key has leaked. Withdraw everything to another wallet of yours first, best to an address you have used before. Do not reset your password before that: a reset stops nobody who has the key, and for 72 hours it limits your own withdrawals.';
const leakZh =
  '如非本人操作，说明私钥已泄露。请先把全部资产提现到您的其他钱包，最好是曾使用过的地址。在此之前不要重置密码：重置无法阻止持有私钥的人，且会在 72 小时内限制您自己的提现。';

const english: { [Kind in MailedEvent['kind']]: TextOf<Kind> } = {
  'new-device': ({ device, address }) => ({
    subject: 'New login to Hunter',
    lines: ['Your account was logged in to from a device that was not used before.'],
    facts: [
      ['Device', device],
      ['IP address', address],
    ],
  }),
  'password-changed': () => ({
    subject: 'Your Hunter password was changed',
    lines: [
      'The password of your account was changed with the old one. Large withdrawals are held for 24 hours.',
      'All other sessions have ended, API keys were deleted, and Telegram was disconnected.',
    ],
  }),
  'password-reset': (_event, { undoReset }) => ({
    subject: 'Your Hunter password was reset',
    lines: [
      'The password of your account was reset with a code mailed to this address. All sessions have ended, API keys were deleted, and Telegram was disconnected.',
      'For 72 hours withdrawals go only to addresses used before, and the private key can’t be exported.',
      'If it was not you, undo the reset with your old password. Then secure this mailbox: whoever can read it can reset your password again.',
    ],
    action: ['Undo the reset', undoReset],
  }),
  'reset-undone': (_event, { unfreeze }) => ({
    subject: 'The reset of your Hunter password was undone',
    lines: [
      'Your old password is valid again. Your account is frozen until you unfreeze it with that password and your second factor, or with a code mailed to you if you have none.',
      'For 72 hours nobody can reset the password by mail.',
    ],
    action: ['Unfreeze the account', unfreeze],
  }),
  frozen: (_event, { unfreeze }) => ({
    subject: 'Your Hunter account is frozen',
    lines: [
      'All sessions have ended, API keys were deleted, and Telegram was disconnected. Held withdrawals were canceled, and no withdrawal or key export is possible.',
      'Trigger orders that buy and followed wallets were paused. Stop losses, take profits and other sales go on, and so do your strategy follows.',
      'A freeze does not stop somebody who has your private key.',
    ],
    action: ['Unfreeze the account', unfreeze],
  }),
  unfrozen: () => ({
    subject: 'Your Hunter account is no longer frozen',
    lines: [
      'Your account was unfrozen with the password and a mailed code or a second factor.',
      'Trigger orders that buy and followed wallets stay paused until you resume them. Cancel those that you did not set up.',
    ],
  }),
  'factor-added': ({ name }) => ({
    subject: 'A second factor was added to your Hunter account',
    lines: ['Withdrawals and key exports now need it.'],
    facts: [['Second factor', name]],
  }),
  'factor-removed': ({ name }) => ({
    subject: 'A second factor was removed from your Hunter account',
    lines: ['It is no longer asked for.'],
    facts: [['Second factor', name]],
  }),
  'factor-recovery-started': ({ until }) => ({
    subject: 'Your second factors are to be removed',
    lines: [
      'Somebody said that the second factors of your account are lost. They will be removed unless you cancel it in your security settings.',
    ],
    facts: [['Removed on', minute(until)]],
  }),
  'factor-recovery-canceled': () => ({
    subject: 'Your second factors stay',
    lines: ['The removal of your second factors was canceled.'],
  }),
  'api-key-created': ({ name, scope }) => ({
    subject: 'An API key was made for your Hunter account',
    lines: [
      scope === 'trade'
        ? 'Whoever has it can see your account and trade up to its daily limit. It cannot withdraw.'
        : 'Whoever has it can see your account. It can neither trade nor withdraw.',
      'Freezing the account or changing the password deletes all API keys.',
    ],
    facts: [['API key', name]],
  }),
  'telegram-linked': ({ name }) => ({
    subject: 'A Telegram chat gets your Hunter notifications',
    lines: [
      'Your notifications are sent to it, and to no other chat, until you disconnect it under Notifications.',
      'Freezing the account or changing the password disconnects it, too.',
    ],
    facts: [['Chat', name]],
  }),
  'factors-recovered': () => ({
    subject: 'All second factors were removed from your Hunter account',
    lines: ['The delay after they were reported lost is over. For 72 hours the private key can’t be exported.'],
  }),
  'recovery-codes-renewed': () => ({
    subject: 'Your Hunter recovery codes were replaced',
    lines: ['The old recovery codes no longer count.'],
  }),
  'login-rule-changed': () => ({
    subject: 'Whether logging in to Hunter needs a second factor was changed',
    lines: ['You find the rule in your security settings.'],
  }),
  'key-exported': () => ({
    subject: 'The private key of your wallet was shown',
    lines: ['The private key of your wallet was shown in your account.', leakEn],
  }),
  'key-export-held': ({ until }) => ({
    subject: 'Your private key was asked for',
    lines: [
      'For safety the key of a large wallet, and each key while many are asked for, is shown later. Until then you can cancel it in your security settings.',
    ],
    facts: [['Possible from', minute(until)]],
  }),
  'withdrawal-requested': (event) => ({
    subject: `Withdrawal requested: ${event.amount}`,
    lines: ['A withdrawal was requested and is being sent. It can no longer be canceled.'],
    facts: withdrawalEn(event),
  }),
  'withdrawal-held': (event, { cancel }) => ({
    subject: `Withdrawal held: ${event.amount}`,
    lines: ['A withdrawal was requested. It is held and leaves by itself after that. Until then you can cancel it.'],
    facts: [...withdrawalEn(event), ['Held until', minute(event.until)]],
    ...(cancel === null ? {} : { action: ['Cancel the withdrawal', cancel] }),
  }),
  'withdrawal-sent': (event) => ({
    subject: `Withdrawal sent: ${event.amount}`,
    lines: ['The network has finalized the withdrawal.'],
    facts: [...withdrawalEn(event), ['Transaction hash', event.hash]],
  }),
  'withdrawal-failed': (event) => ({
    subject: `Withdrawal failed: ${event.amount}`,
    lines: ['Nothing was sent. The amount is available again; if it failed on chain, the network fee was charged.'],
    facts: withdrawalEn(event),
  }),
  'withdrawal-canceled': (event) => ({
    subject: `Withdrawal canceled: ${event.amount}`,
    lines: ['Nothing was sent. The amount is available again.'],
    facts: withdrawalEn(event),
  }),
  'external-outflow': ({ amount, hash }) => ({
    subject: `${amount} left your wallet without Hunter`,
    lines: ['This transaction was signed with the private key of your wallet, outside of Hunter.', leakEn],
    facts: [
      ['Amount', amount],
      ['Transaction hash', hash],
    ],
  }),
  'issuer-outflow': ({ amount, hash }) => ({
    subject: `The token’s issuer took ${amount} out of your wallet`,
    lines: [
      'The token lets its issuer move it out of any wallet (permanent delegate). This transaction was not signed with the private key of your wallet.',
      'A freeze does not stop the issuer.',
    ],
    facts: [
      ['Amount', amount],
      ['Transaction hash', hash],
    ],
  }),
  'address-saved': ({ toWallet, label }) => ({
    subject: 'Your saved addresses were changed',
    lines: ['An address was added or renamed.'],
    facts: [
      ['Label', label],
      ['Address', toWallet],
    ],
  }),
  'address-removed': ({ toWallet, label }) => ({
    subject: 'Your saved addresses were changed',
    lines: ['An address was removed.'],
    facts: [
      ['Label', label],
      ['Address', toWallet],
    ],
  }),
  'limits-raised': ({ from }) => ({
    subject: 'Your withdrawal limits are to be raised',
    lines: [
      'Until then the present limits hold. If it was not you, save the present limits in your security settings: that cancels it.',
    ],
    facts: [['Raised from', minute(from)]],
  }),
};

const chinese: { [Kind in MailedEvent['kind']]: TextOf<Kind> } = {
  'new-device': ({ device, address }) => ({
    subject: 'Hunter 新设备登录',
    lines: ['您的账户在一台未使用过的设备上登录。'],
    facts: [
      ['设备', device],
      ['IP 地址', address],
    ],
  }),
  'password-changed': () => ({
    subject: '您的 Hunter 密码已修改',
    lines: [
      '您的账户密码已用原密码修改。大额提现将暂缓 24 小时。',
      '其他设备均已退出登录，API 密钥已删除，Telegram 已解除绑定。',
    ],
  }),
  'password-reset': (_event, { undoReset }) => ({
    subject: '您的 Hunter 密码已重置',
    lines: [
      '您的账户密码已通过发送到此邮箱的验证码重置。所有设备均已退出登录，API 密钥已删除，Telegram 已解除绑定。',
      '72 小时内只能提现到曾使用过的地址，且无法导出私钥。',
      '如非本人操作，请用原密码撤销重置，然后保护好此邮箱：能读取此邮箱的人可以再次重置您的密码。',
    ],
    action: ['撤销重置', undoReset],
  }),
  'reset-undone': (_event, { unfreeze }) => ({
    subject: 'Hunter 密码重置已撤销',
    lines: [
      '原密码重新有效。账户已冻结，请用该密码和第二验证解冻；未设置第二验证的，用邮件验证码。',
      '72 小时内无法通过邮件重置密码。',
    ],
    action: ['解冻账户', unfreeze],
  }),
  frozen: (_event, { unfreeze }) => ({
    subject: '您的 Hunter 账户已冻结',
    lines: [
      '所有设备已退出登录，API 密钥已删除，Telegram 已解除绑定。暂缓中的提现已取消，无法提现或导出私钥。',
      '会买入的条件单和钱包跟单已暂停。止损、止盈等卖出以及策略跟单继续运行。',
      '冻结无法阻止持有您私钥的人。',
    ],
    action: ['解冻账户', unfreeze],
  }),
  unfrozen: () => ({
    subject: '您的 Hunter 账户已解冻',
    lines: [
      '您的账户已用密码和邮件验证码或第二验证解冻。',
      '会买入的条件单和钱包跟单保持暂停，由您手动恢复。如有非您本人设置的，请取消。',
    ],
  }),
  'factor-added': ({ name }) => ({
    subject: '您的 Hunter 账户已添加第二验证方式',
    lines: ['提现和导出私钥现在需要该验证。'],
    facts: [['第二验证', name]],
  }),
  'factor-removed': ({ name }) => ({
    subject: '您的 Hunter 账户已移除第二验证方式',
    lines: ['今后不再要求该验证。'],
    facts: [['第二验证', name]],
  }),
  'factor-recovery-started': ({ until }) => ({
    subject: '您的第二验证方式将被移除',
    lines: ['有人声明您账户的第二验证方式已丢失。除非您在安全设置中取消，否则将被移除。'],
    facts: [['移除时间', minute(until)]],
  }),
  'factor-recovery-canceled': () => ({
    subject: '您的第二验证方式保持不变',
    lines: ['移除第二验证方式的申请已取消。'],
  }),
  'api-key-created': ({ name, scope }) => ({
    subject: '您的 Hunter 账户已创建 API 密钥',
    lines: [
      scope === 'trade'
        ? '持有该密钥的人可以查看您的账户，并在每日限额内交易，但无法提现。'
        : '持有该密钥的人可以查看您的账户，但无法交易或提现。',
      '冻结账户或修改密码会删除所有 API 密钥。',
    ],
    facts: [['API 密钥', name]],
  }),
  'telegram-linked': ({ name }) => ({
    subject: '已有 Telegram 会话接收您的 Hunter 通知',
    lines: ['通知会发送到该会话，且不再发送到其他会话，直到您在“通知”中解除绑定。', '冻结账户或修改密码也会解除绑定。'],
    facts: [['会话', name]],
  }),
  'factors-recovered': () => ({
    subject: '您的 Hunter 账户的所有第二验证方式已被移除',
    lines: ['声明丢失后的等待期已过。72 小时内无法导出私钥。'],
  }),
  'recovery-codes-renewed': () => ({
    subject: '您的 Hunter 恢复码已更换',
    lines: ['原恢复码不再有效。'],
  }),
  'login-rule-changed': () => ({
    subject: '登录 Hunter 是否需要第二验证的设置已更改',
    lines: ['您可以在安全设置中查看。'],
  }),
  'key-exported': () => ({
    subject: '您的钱包私钥已被查看',
    lines: ['您的账户查看了钱包私钥。', leakZh],
  }),
  'key-export-held': ({ until }) => ({
    subject: '有人申请查看您的私钥',
    lines: ['为安全起见，资产较多的钱包或申请较多时，私钥会延后显示。在此之前您可以在安全设置中取消。'],
    facts: [['可查看时间', minute(until)]],
  }),
  'withdrawal-requested': (event) => ({
    subject: `提现申请：${event.amount}`,
    lines: ['已申请提现，正在发送，无法再取消。'],
    facts: withdrawalZh(event),
  }),
  'withdrawal-held': (event, { cancel }) => ({
    subject: `提现暂缓：${event.amount}`,
    lines: ['已申请提现，目前暂缓，到期后自动发送。在此之前可以取消。'],
    facts: [...withdrawalZh(event), ['暂缓至', minute(event.until)]],
    ...(cancel === null ? {} : { action: ['取消提现', cancel] }),
  }),
  'withdrawal-sent': (event) => ({
    subject: `提现已发送：${event.amount}`,
    lines: ['网络已最终确认该提现。'],
    facts: [...withdrawalZh(event), ['交易哈希', event.hash]],
  }),
  'withdrawal-failed': (event) => ({
    subject: `提现失败：${event.amount}`,
    lines: ['未发送任何资产，金额已恢复可用；如为链上失败，已扣网络费。'],
    facts: withdrawalZh(event),
  }),
  'withdrawal-canceled': (event) => ({
    subject: `提现已取消：${event.amount}`,
    lines: ['未发送任何资产，金额已恢复可用。'],
    facts: withdrawalZh(event),
  }),
  'external-outflow': ({ amount, hash }) => ({
    subject: `${amount} 未经 Hunter 转出您的钱包`,
    lines: ['该交易在 Hunter 之外使用您的钱包私钥签名。', leakZh],
    facts: [
      ['金额', amount],
      ['交易哈希', hash],
    ],
  }),
  'issuer-outflow': ({ amount, hash }) => ({
    subject: `代币发行方从您的钱包划走 ${amount}`,
    lines: [
      '该代币允许其发行方从任何钱包划走代币（永久代理权限）。该交易未使用您的钱包私钥签名。',
      '冻结账户无法阻止发行方。',
    ],
    facts: [
      ['金额', amount],
      ['交易哈希', hash],
    ],
  }),
  'address-saved': ({ toWallet, label }) => ({
    subject: '您的地址簿已变更',
    lines: ['新增或重命名了一个地址。'],
    facts: [
      ['名称', label],
      ['地址', toWallet],
    ],
  }),
  'address-removed': ({ toWallet, label }) => ({
    subject: '您的地址簿已变更',
    lines: ['移除了一个地址。'],
    facts: [
      ['名称', label],
      ['地址', toWallet],
    ],
  }),
  'limits-raised': ({ from }) => ({
    subject: '您的提现限额将提高',
    lines: ['在此之前现有限额有效。如非本人操作，请在安全设置中保存现有限额，即可取消。'],
    facts: [['生效时间', minute(from)]],
  }),
};

function withdrawalEn({ amount, toWallet }: { amount: string; toWallet: string }): [string, string][] {
  return [
    ['Amount', amount],
    ['To', toWallet],
  ];
}

function withdrawalZh({ amount, toWallet }: { amount: string; toWallet: string }): [string, string][] {
  return [
    ['金额', amount],
    ['目标地址', toWallet],
  ];
}

/** Every one of them carries the link that freezes the account. */
export function securityMail(language: Language, event: MailedEvent, links: MailLinks): MailContent {
  const texts = language === 'zh' ? chinese : english;
  const text = (texts[event.kind] as TextOf<MailedEvent['kind']>)(event, links);
  const foot: [string, string] =
    language === 'zh'
      ? ['不是您本人？冻结账户：退出所有设备的登录，停止提现和私钥导出，直到您用密码和邮件验证码解冻。', links.freeze]
      : [
          'Not you? Freeze your account: it stops all sessions, withdrawals and key exports until you unfreeze it with your password and a mailed code.',
          links.freeze,
        ];
  return renderMail(language, { ...text, facts: text.facts ?? [], code: null, foot });
}
