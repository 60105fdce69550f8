// Method and path of every call, as plain data. The contract package holds the same with its schemas; repeating them
// here keeps the schemas and their library out of the browser, and a test holds both tables equal. Written in short, because
// every page loads it first.
import type { CallName } from '@hunter/contract/calls';

/** `money` marks calls that move money: each carries an Idempotency-Key, so that a retry cannot act twice. */
type CallRoute = { method: 'GET' | 'POST'; path: string; money?: true };

/** By area: calls whose path ends with their name. Those called get… are read with GET, the others sent with POST. */
const named: Readonly<Record<string, string>> = {
  dev: 'faucet',
  user: `
    getMyReserveProofs cancelKeyExport getMyAlerts readMyAlerts getMyOperatorReads getMySessions revokeSession
    changePassword exportKey getMyApiKeys createApiKey revokeApiKey getMySavedItems saveMyItem getMyFirstSteps
    getMyFactors startTotp confirmTotp enrolPasskey removeFactor renewRecoveryCodes setLoginRule startRecovery
    cancelRecovery finishRecovery getMyInvites getMyAuditLog getMySettings saveMySettings reviewWithdrawal
    withdrawal getMyWithdrawalAddresses saveWithdrawalAddress removeWithdrawalAddress getMyWithdrawalLimits
    saveMyWithdrawalLimits cancelWithdrawal getMyWithdrawals getMyDeposits getMyWatchlist watchToken
    getMyTrackedWallets trackWallet untrackWallet getMyTokenAmount hideToken getMyForeignAccounts getMyPositions
    getMyAccount getMyTradeRecord getMyAlertChoices saveMyAlertChoice getMyAlertChannels addPushDevice
    removePushDevice connectTelegram disconnectTelegram getMyPriceAlerts createPriceAlert deletePriceAlert
    getMyEquity getMyPortfolio getMyRealized`,
  login: `
    sendEmailCode register logout resetPassword undoPasswordReset freezeAccount unfreezeAccount
    cancelMailedWithdrawal`,
  token: `
    getTokenList getTokenHotList getTokenBaseInfo getTokenTransactionData getTokenHolders getTokenGoldenDogNotice
    getTokenDiscover getTokenPools quote tokenTransfer tokenClose getOrder`,
  wallet: `
    getWallet getMyWalletFollows getWalletFollowReceipts getWalletHoldings getWalletTrades getTraders
    startPaperWalletFollow endPaperWalletFollow getMyPaperWalletFollows`,
  triggers: 'getMyTriggers',
  strategy: `
    getStrategyList getStrategyDetail getCreator getStrategyYield getStrategyTrades rebalance getMyPaperFollows
    getMyFollows getCopyReceipts getCopyProof`,
};

/** The others, by their path below /api/; a ! stands for POST. */
const unlike: Partial<Record<CallName, string>> = {
  getConfig: 'config',
  mailbox: 'dev/mailbox',
  getReserves: 'reserves',
  getReserveWallets: 'reserves/wallets',
  login: '!login/check',
  myWallet: 'user/myWallet',
  getMailedWithdrawal: '!login/getMailedWithdrawal',
  tokenPrice: 'token/tokenPrice',
  kline: 'v1/kline',
  previewWalletFollow: 'wallet/previewFollow',
  followWallet: '!wallet/follow_wallet',
  updateWalletFollow: '!wallet/update_wallet_follow',
  endWalletFollow: '!wallet/end_wallet_follow',
  getChainTransaction: 'chain/getTransaction',
  getChainAddress: 'chain/getAddress',
  getChainSignatures: 'chain/getSignatures',
  placeTrigger: '!triggers/place_trigger',
  previewTrigger: '!triggers/preview_trigger',
  editTrigger: '!triggers/edit_trigger',
  pauseTrigger: '!triggers/pause_trigger',
  resumeTrigger: '!triggers/resume_trigger',
  cancelTrigger: '!triggers/cancel_trigger',
  cancelAllTriggers: '!triggers/cancel_all_triggers',
  createStrategy: '!strategy/create_strategy',
  previewStrategy: '!strategy/preview_strategy',
  closeStrategy: '!strategy/close_strategy',
  followStrategy: '!strategy/follow_strategy',
  cancelFollow: '!strategy/cancel_follow',
  changeFollowFunds: '!strategy/change_follow_funds',
  updateFollow: '!strategy/update_follow',
  previewFollow: '!strategy/preview_follow',
  simulateFollow: '!strategy/simulate_follow',
  simulateWalletFollow: '!wallet/simulate_follow',
  startPaperFollow: '!strategy/start_paper_follow',
  endPaperFollow: '!strategy/end_paper_follow',
  previewCancel: '!strategy/preview_cancel',
};

const money =
  'faucet withdrawal followWallet endWalletFollow tokenTransfer tokenClose placeTrigger createStrategy rebalance closeStrategy followStrategy cancelFollow changeFollowFunds'.split(
    ' ',
  );

const routes = [
  ...Object.entries(named).flatMap(([area, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, `${name.startsWith('get') ? '' : '!'}${area}/${name}`] as const),
  ),
  ...Object.entries(unlike),
];

export const callTable = Object.fromEntries(
  routes.map(([name, route]) => [
    name,
    {
      method: route.startsWith('!') ? 'POST' : 'GET',
      path: `/api/${route.replace('!', '')}`,
      ...(money.includes(name) ? { money: true } : {}),
    },
  ]),
) as Readonly<Record<CallName, CallRoute>>;
