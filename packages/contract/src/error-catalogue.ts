// Every refusal the API can give, with a number that never changes meaning. 401, 403, 404, 429 and 500 also set the
// HTTP status; every other refusal travels as HTTP 200, so that the client shows its text instead of a network error.
// Plain data on purpose: the browser loads it without the schemas. `{name}` in a text is filled from the error's context.

export const errorCatalogue = {
  UNAUTHENTICATED: { code: 401, httpStatus: 401, en: 'Please log in again', zh: '登录已过期，请重新登录' },
  FORBIDDEN: { code: 403, httpStatus: 403, en: 'No permission', zh: '没有权限访问' },
  NOT_FOUND: { code: 404, httpStatus: 404, en: 'Resource not found', zh: '请求的资源不存在' },
  RATE_LIMITED: {
    code: 429,
    httpStatus: 429,
    en: 'Too many requests, please retry in {retryAfterSeconds} seconds',
    zh: '请求过于频繁，请在 {retryAfterSeconds} 秒后重试',
  },
  INTERNAL: { code: 500, httpStatus: 500, en: 'Server error', zh: '服务器错误' },

  INVALID_INPUT: { code: 1000, httpStatus: 200, en: '{field}: {reason}', zh: '{field}：{reason}' },
  BODY_TOO_LARGE: { code: 1001, httpStatus: 200, en: 'The request is too large', zh: '请求内容过大' },
  MALFORMED_JSON: { code: 1002, httpStatus: 200, en: 'The request is not valid JSON', zh: '请求不是有效的 JSON' },
  IDEMPOTENCY_CONFLICT: {
    code: 1003,
    httpStatus: 200,
    en: 'This Idempotency-Key was used for a different request',
    zh: '该幂等键已用于其他请求',
  },
  REQUEST_IN_PROGRESS: {
    code: 1004,
    httpStatus: 200,
    en: 'The same request is still being processed',
    zh: '相同的请求正在处理中',
  },
  UNAVAILABLE: {
    code: 1005,
    httpStatus: 200,
    en: 'This service is temporarily unavailable, please try again',
    zh: '服务暂时不可用，请稍后重试',
  },

  WRONG_CREDENTIALS: { code: 1100, httpStatus: 200, en: 'Wrong email or password', zh: '邮箱或密码错误' },
  WRONG_CODE: {
    code: 1101,
    httpStatus: 200,
    en: 'The verification code is wrong or has expired',
    zh: '验证码错误或已过期',
  },
  CODE_TOO_SOON: {
    code: 1102,
    httpStatus: 200,
    en: 'Please retry in {retryAfterSeconds} seconds',
    zh: '请在 {retryAfterSeconds} 秒后重试',
  },
  WRONG_INVITE: {
    code: 1103,
    httpStatus: 200,
    en: 'The invite code is not valid or has been used up',
    zh: '邀请码无效或已用完',
  },
  PASSWORDS_DIFFER: {
    code: 1104,
    httpStatus: 200,
    en: 'The passwords entered twice do not match',
    zh: '两次输入的密码不一致',
  },
  PASSWORD_TOO_WEAK: {
    code: 1105,
    httpStatus: 200,
    en: 'Please choose a password of at least 8 characters that is not among the commonest',
    zh: '密码至少 8 位，且不能是常见密码',
  },
  AGREEMENT_REQUIRED: {
    code: 1106,
    httpStatus: 200,
    en: 'Please read and agree to the terms',
    zh: '请阅读并同意条款',
  },
  WRONG_PASSWORD: { code: 1108, httpStatus: 200, en: 'The password is wrong', zh: '密码错误' },
  KEY_EXPORT_AFTER_RESET: {
    code: 1109,
    httpStatus: 200,
    en: 'After a reset of password or second factor the private key can be exported from {until} on',
    zh: '重置密码或二次验证后，{until} 起才能导出私钥',
  },
  SECOND_FACTOR_REQUIRED: {
    code: 1110,
    httpStatus: 200,
    en: 'Confirm with your passkey or authenticator code',
    zh: '请使用通行密钥或动态验证码确认',
  },
  SECOND_FACTOR_WRONG: {
    code: 1111,
    httpStatus: 200,
    en: 'The second factor was not accepted: use your passkey again or the next code',
    zh: '二次验证未通过：请重新使用通行密钥或下一个验证码',
  },
  TRACKED_WALLETS_FULL: {
    code: 1120,
    httpStatus: 200,
    en: 'At most {most} wallets can be tracked: remove one first',
    zh: '最多可追踪 {most} 个钱包，请先移除一个',
  },
  LOGIN_FACTOR_REQUIRED: {
    code: 1112,
    httpStatus: 200,
    en: 'Confirm the login with your passkey or authenticator code',
    zh: '请使用通行密钥或动态验证码确认登录',
  },
  FACTOR_LIMIT: {
    code: 1113,
    httpStatus: 200,
    en: 'This factor is enrolled already, or there are too many',
    zh: '该验证方式已添加，或数量已达上限',
  },
  RECOVERY_WAITS: {
    code: 1114,
    httpStatus: 200,
    en: 'Your second factors can be removed from {until} on',
    zh: '{until} 起才能移除您的二次验证',
  },

  ACCOUNT_FROZEN: {
    code: 1130,
    httpStatus: 200,
    en: 'This account is frozen. Unfreeze it with your password and a mailed code',
    zh: '账户已冻结，请用密码和邮件验证码解冻',
  },
  LINK_INVALID: {
    code: 1131,
    httpStatus: 200,
    en: 'This link was used already or has expired',
    zh: '该链接已使用或已过期',
  },
  UNFREEZE_AFTER_RESET: {
    code: 1132,
    httpStatus: 200,
    en: 'After a password reset the account can be unfrozen from {until} on',
    zh: '重置密码后，{until} 起才能解冻账户',
  },
  RESET_REFUSED: {
    code: 1133,
    httpStatus: 200,
    en: 'A reset was undone recently. The password can be reset by mail from {until} on',
    zh: '最近一次重置已被撤销，{until} 起才能通过邮件重置密码',
  },
  RESET_NOT_UNDOABLE: {
    code: 1134,
    httpStatus: 200,
    en: 'There is no reset of the last 72 hours to undo',
    zh: '72 小时内没有可撤销的密码重置',
  },
  KEY_EXPORT_DELAYED: {
    code: 1135,
    httpStatus: 200,
    en: 'For safety your private key can be shown from {until} on',
    zh: '为安全起见，{until} 起才能显示私钥',
  },

  INSUFFICIENT_BALANCE: { code: 1200, httpStatus: 200, en: 'Insufficient balance', zh: '余额不足' },
  NO_ROUTE: { code: 1201, httpStatus: 200, en: 'This token cannot be traded right now', zh: '该代币暂时无法交易' },
  PRICE_MOVED: {
    code: 1202,
    httpStatus: 200,
    en: 'The price moved past your slippage, nothing was traded',
    zh: '价格变动超出滑点，未成交',
  },
  TOKEN_UNKNOWN: { code: 1203, httpStatus: 200, en: 'No tokens found', zh: '未找到代币' },
  AMOUNT_TOO_SMALL: {
    code: 1204,
    httpStatus: 200,
    en: 'The amount is too small, the minimum is {minimum}',
    zh: '金额过小，最小为 {minimum}',
  },
  PRICE_IMPACT_TOO_HIGH: {
    code: 1205,
    httpStatus: 200,
    en: 'Price impact {impact}% is too high, reduce the amount',
    zh: '价格影响 {impact}% 过高，请减少数量',
  },
  NOTHING_TO_SELL: { code: 1206, httpStatus: 200, en: 'There is nothing to sell', zh: '没有可卖出的持仓' },
  TRADE_FAILED: {
    code: 1207,
    httpStatus: 200,
    en: 'Failed on chain: nothing traded, network fee charged',
    zh: '链上失败：未成交，已扣网络费',
  },
  TRADE_DROPPED: {
    code: 1210,
    httpStatus: 200,
    en: 'The network dropped this trade after confirming it: nothing was traded, and it was taken back',
    zh: '该交易确认后被网络丢弃：未成交，已撤回',
  },
  SALE_TOO_SMALL: {
    code: 1211,
    httpStatus: 200,
    en: 'This sale would bring less than its network fee',
    zh: '卖出所得不足以支付网络费',
  },
  FEE_NOT_COVERED: {
    code: 1212,
    httpStatus: 200,
    en: 'Too little SOL in the wallet for the network fee, deposit 0.001 SOL to sell',
    zh: '钱包中的 SOL 不足以支付网络费，请先充值 0.001 SOL 再卖出',
  },
  SIGNING_STOPPED: {
    code: 1208,
    httpStatus: 200,
    en: 'Trading and withdrawals are paused for safety',
    zh: '为安全起见，交易与提现已暂停',
  },
  SIGNING_DENIED: {
    code: 1209,
    httpStatus: 200,
    en: 'Blocked by a safety check, nothing was sent',
    zh: '未通过安全校验，未发送',
  },

  WITHDRAWAL_FAILED: {
    code: 1300,
    httpStatus: 200,
    en: 'Withdrawal failed, please try again',
    zh: '提现失败，请重试',
  },
  TRANSFER_FAILED: {
    code: 1306,
    httpStatus: 200,
    en: 'The transfer failed on chain: nothing moved, network fee charged',
    zh: '链上转账失败：资金未移动，已扣网络费',
  },
  WITHDRAWAL_OWN_WALLET: {
    code: 1301,
    httpStatus: 200,
    en: 'The destination must be another wallet than your own',
    zh: '目标地址不能是自己的钱包',
  },
  WITHDRAWAL_LEAVES_DUST: {
    code: 1302,
    httpStatus: 200,
    en: 'Leave at least {minimum} SOL in the wallet or withdraw everything',
    zh: '请至少保留 {minimum} SOL 或全部提现',
  },
  WITHDRAWAL_LIMIT: {
    code: 1303,
    httpStatus: 200,
    en: 'This passes your withdrawal limit for 24 hours',
    zh: '超过 24 小时提现限额',
  },
  WITHDRAWAL_NOT_CANCELLABLE: {
    code: 1304,
    httpStatus: 200,
    en: 'This withdrawal can no longer be canceled',
    zh: '该提现已无法取消',
  },
  WITHDRAWAL_DESTINATION: {
    code: 1305,
    httpStatus: 200,
    en: 'What is sent to this destination address would be lost: {reason}',
    zh: '转到该目标地址的资产将会丢失：{reason}',
  },
  WITHDRAWAL_TOKEN: {
    code: 1307,
    httpStatus: 200,
    en: 'This token can’t be withdrawn: {reason}',
    zh: '该代币无法提现：{reason}',
  },
  WITHDRAWAL_NEW_ADDRESS: {
    code: 1308,
    httpStatus: 200,
    en: 'After a password reset withdrawals go only to addresses used before, until {until}',
    zh: '重置密码后，{until} 前只能提现到曾使用过的地址',
  },
  ADDRESS_LABEL_TAKEN: {
    code: 1309,
    httpStatus: 200,
    en: 'Another saved address has this label',
    zh: '地址簿中已有相同名称的地址',
  },
  ADDRESS_BOOK_FULL: {
    code: 1310,
    httpStatus: 200,
    en: 'You can save at most {maximum} addresses',
    zh: '地址簿最多可保存 {maximum} 个地址',
  },
  WITHDRAWALS_WAITING: {
    code: 1311,
    httpStatus: 200,
    en: 'You can have at most {most} withdrawals waiting, cancel one or wait until one is sent',
    zh: '最多可同时有 {most} 笔待处理的提现，请先取消一笔或等待其发出',
  },

  STRATEGY_NOT_FOUND: { code: 1400, httpStatus: 200, en: 'No strategy found!', zh: '未找到策略！' },
  CREATOR_NOT_FOUND: { code: 1412, httpStatus: 200, en: 'No creator found!', zh: '未找到带单员！' },
  FOLLOW_FAILED: {
    code: 1401,
    httpStatus: 200,
    en: 'Follow failed, please try again later!',
    zh: '跟单失败，请稍后重试！',
  },
  FOLLOW_OWN: { code: 1402, httpStatus: 200, en: 'You cannot follow your own strategy', zh: '不能跟单自己的策略' },
  ALREADY_FOLLOWING: { code: 1403, httpStatus: 200, en: 'You already follow this strategy', zh: '您已跟单该策略' },
  NOT_FOLLOWING: { code: 1404, httpStatus: 200, en: 'You do not follow this strategy', zh: '您未跟单该策略' },
  FOLLOW_AMOUNT_EXCEEDS: {
    code: 1405,
    httpStatus: 200,
    en: 'Amount exceeds wallet balance!',
    zh: '金额超过钱包余额！',
  },
  TOO_MANY_PAPER_FOLLOWS: {
    code: 1413,
    httpStatus: 200,
    en: 'At most {most} paper follows at a time. End one first',
    zh: '最多同时进行 {most} 个模拟跟单，请先结束一个',
  },
  TOO_MANY_WALLET_FOLLOWS: {
    code: 1414,
    httpStatus: 200,
    en: 'You can follow at most {most} wallets. End one first',
    zh: '最多同时跟单 {most} 个钱包，请先结束一个',
  },
  STRATEGY_ENDED: { code: 1406, httpStatus: 200, en: 'This strategy has ended', zh: '该策略已结束' },
  WEIGHTS_EXCEED: {
    code: 1407,
    httpStatus: 200,
    en: 'The weights add up to more than 100%',
    zh: '权重之和超过 100%',
  },
  NOT_YOUR_STRATEGY: {
    code: 1408,
    httpStatus: 200,
    en: 'Only its creator can change this strategy',
    zh: '只有带单员可以修改该策略',
  },
  STRATEGY_FULL: {
    code: 1410,
    httpStatus: 200,
    en: 'This strategy takes {room} more: followers may hold at most 10 times what its creator does, 19 once ranked',
    zh: '该策略最多还可接受 {room}：跟单资金不得超过带单员自有资金的 10 倍，上榜后 19 倍',
  },
  CREATOR_CONFLICT: {
    code: 1411,
    httpStatus: 200,
    en: 'Your strategy bought this coin less than 10 minutes ago: you can sell your own in {minutes} min',
    zh: '您的策略在 10 分钟内买入过该币，{minutes} 分钟后才能卖出您自己的持仓',
  },
  TRADE_UNDER_WAY: {
    code: 1415,
    httpStatus: 200,
    en: 'A trade or transfer is still under way here. Nothing was changed; try again in a minute',
    zh: '此处还有交易或转账未完成，本次未作任何更改，请稍后再试',
  },
  NAME_TAKEN: {
    code: 1409,
    httpStatus: 200,
    en: 'This name, or one that looks like it, belongs to another strategy',
    zh: '已有同名或名称相似的策略',
  },

  API_KEY_SCOPE: {
    code: 1160,
    httpStatus: 403,
    en: 'This API key is not allowed to do that',
    zh: '该 API 密钥无权执行此操作',
  },
  API_KEY_LIMIT: {
    code: 1161,
    httpStatus: 200,
    en: 'You can have at most {most} API keys, delete one first',
    zh: '最多可创建 {most} 个 API 密钥，请先删除一个',
  },
  API_KEY_SPEND_LIMIT: {
    code: 1162,
    httpStatus: 200,
    en: 'The daily limit of this API key is {limit} SOL',
    zh: '该 API 密钥的每日限额为 {limit} SOL',
  },
  API_KEY_SLIPPAGE: {
    code: 1163,
    httpStatus: 200,
    en: 'API keys trade with a slippage of at most {percent}%',
    zh: 'API 密钥交易的滑点不能超过 {percent}%',
  },

  PRICE_ALERTS_FULL: {
    code: 1610,
    httpStatus: 200,
    en: 'You can have at most {most} price alerts, delete one first',
    zh: '最多可设置 {most} 个价格提醒，请先删除一个',
  },

  TRIGGER_LIMIT: {
    code: 1600,
    httpStatus: 200,
    en: 'You can have at most {most} open trigger orders, cancel some first',
    zh: '最多可同时挂 {most} 个条件单，请先撤销一些',
  },
  TRIGGERS_PER_DAY: {
    code: 1602,
    httpStatus: 200,
    en: 'You can place at most {most} trigger orders in 24 hours',
    zh: '24 小时内最多可挂 {most} 个条件单',
  },
  TRIGGER_NOT_CHANGEABLE: {
    code: 1601,
    httpStatus: 200,
    en: 'This trigger order has fired or ended and can no longer be changed',
    zh: '该条件单已触发或已结束，无法再修改',
  },
} as const satisfies Record<string, { code: number; httpStatus: number; en: string; zh: string }>;

export type ErrorName = keyof typeof errorCatalogue;

/** Why a field was refused; the client prints it in its own language. */
export const inputReasons = {
  required: { en: 'is required', zh: '为必填项' },
  type: { en: 'has the wrong type', zh: '类型不正确' },
  format: { en: 'has the wrong format', zh: '格式不正确' },
  length: { en: 'has the wrong length', zh: '长度不正确' },
  range: { en: 'is out of range', zh: '超出范围' },
  choice: { en: 'is not one of the allowed values', zh: '不在允许的取值之内' },
  unknown: { en: 'is not a known field', zh: '不是已知字段' },
} as const;

export type InputReason = keyof typeof inputReasons;

/** Why an address cannot receive a withdrawal. */
export const destinationProblems = {
  reserved: { en: 'it belongs to the network itself', zh: '该地址属于网络本身' },
  program: { en: 'it is a program', zh: '该地址是程序' },
  mint: { en: 'it is a token mint', zh: '该地址是代币铸造账户' },
  'token-account': {
    en: 'it is a token account, use the address of its owner',
    zh: '该地址是代币账户，请使用其所有者的地址',
  },
  'program-account': { en: 'it belongs to a program', zh: '该地址属于某个程序' },
  pool: { en: 'it is the pool of a token', zh: '该地址是代币的流动性池' },
  'strategy-wallet': { en: 'it is the wallet of a strategy', zh: '该地址是策略钱包' },
  'no-owner': { en: 'nobody has a key for it', zh: '没有人持有该地址的私钥' },
} as const;

export type DestinationProblem = keyof typeof destinationProblems;

/** Why a token cannot be withdrawn. */
export const withdrawnTokenProblems = {
  'no-mint': { en: 'there is no such token', zh: '没有此代币' },
  'wrapped-sol': { en: 'withdraw it as SOL', zh: '请以 SOL 提现' },
  'transfer-hook': { en: 'its transfers run a program of their own', zh: '其转账会运行自带程序' },
  'non-transferable': { en: 'its creator forbids transfers', zh: '发行方禁止转账' },
  'default-frozen': { en: 'new accounts of it are frozen', zh: '其新账户默认冻结' },
} as const;

export type WithdrawnTokenProblem = keyof typeof withdrawnTokenProblems;

/** What may stand in the place of `{reason}`. */
export const refusalReasons: Readonly<Record<string, { en: string; zh: string }>> = {
  ...inputReasons,
  ...destinationProblems,
  ...withdrawnTokenProblems,
};

/** What each refusal carries beside its name. Refusals that are not listed carry nothing. */
export type ErrorContext = {
  RATE_LIMITED: { retryAfterSeconds: number };
  CODE_TOO_SOON: { retryAfterSeconds: number };
  INVALID_INPUT: { field: string; reason: InputReason };
  AMOUNT_TOO_SMALL: { minimum: string };
  PRICE_IMPACT_TOO_HIGH: { impact: string };
  WITHDRAWAL_LEAVES_DUST: { minimum: string };
  /** Minutes are enough for a pause of days: `2026-11-19 08:15 UTC`. */
  KEY_EXPORT_AFTER_RESET: { until: string };
  KEY_EXPORT_DELAYED: { until: string };
  RECOVERY_WAITS: { until: string };
  /** What a passkey signs: an intent of kind login about this address, with this id. */
  LOGIN_FACTOR_REQUIRED: {
    factorId: string;
    address: string;
    rpId: string;
    factors: ('totp' | 'passkey')[];
    credentialIds: string[];
  };
  UNFREEZE_AFTER_RESET: { until: string };
  RESET_REFUSED: { until: string };
  WITHDRAWAL_NEW_ADDRESS: { until: string };
  WITHDRAWAL_TOKEN: { field: 'tokenContractAddress'; reason: WithdrawnTokenProblem };
  ADDRESS_BOOK_FULL: { maximum: number };
  WITHDRAWALS_WAITING: { most: number };
  WITHDRAWAL_DESTINATION: { field: 'toWallet'; reason: DestinationProblem };
  STRATEGY_FULL: { room: string };
  TOO_MANY_PAPER_FOLLOWS: { most: number };
  TOO_MANY_WALLET_FOLLOWS: { most: number };
  CREATOR_CONFLICT: { minutes: number };
  API_KEY_LIMIT: { most: number };
  API_KEY_SPEND_LIMIT: { limit: string };
  API_KEY_SLIPPAGE: { percent: number };
  PRICE_ALERTS_FULL: { most: number };
  TRIGGER_LIMIT: { most: number };
  TRIGGERS_PER_DAY: { most: number };
  TRACKED_WALLETS_FULL: { most: number };
};
