import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';

type Texts = Record<CopySkipReason | 'unknown', string>;

/** Why a copy did not happen, as the follower reads it: on receipts, in the bell and in mails. */
export const skipTexts = {
  en: {
    paused: 'Buys are paused',
    'below-minimum': 'Your share is below the minimum trade of 0.001 SOL',
    'insufficient-balance': 'Not enough free SOL in this follow',
    mintable: 'More of this token can be minted',
    'pool-too-small': 'Pool below 50 SOL',
    'pool-too-young': 'Pool younger than 1 hour',
    'coarse-token': 'Token cannot be split finely enough',
    'no-reference-price': 'No reference price yet',
    'creator-traded': 'The creator or a linked wallet bought it within the last hour',
    'run-up': 'Run-up limit: the price is above the reference price',
    'coin-cap': 'Coin cap: this coin’s share of the follow is full',
    'cost-limit': 'Cost limit: fees and price impact of the last hour or day',
    'cap-per-trade': 'Your cap per trade',
    'creator-stake': 'Creator’s stake: followers fill at most 10 times the creator’s own part, 19 once ranked',
    depth: 'Depth limit: the pool is too shallow',
    'nothing-to-sell': 'This follow does not hold the token',
    'price-moved': 'The price moved too far from the creator’s price',
    'token-risk': 'A safety badge shows danger or unknown',
    'follow-closing': 'The follow was being canceled',
    'joined-later': 'You joined after this trade',
    'scaled-to-nothing': 'Pool too shallow for this copy',
    'creator-failed': 'The creator’s own trade failed',
    'venue-refused': 'The exchange rejected the trade',
    expired: 'Not confirmed in time: nothing traded',
    'failed-on-chain': 'Failed on chain: nothing traded, network fee charged',
    'dropped-by-chain': 'Dropped by the network after confirmation: nothing traded',
    unknown: 'Skipped for another reason',
  } satisfies Texts,
  zh: {
    paused: '买入已暂停',
    'below-minimum': '您的份额低于最小交易金额 0.001 SOL',
    'insufficient-balance': '该跟单的可用 SOL 不足',
    mintable: '该代币可增发',
    'pool-too-small': '池子低于 50 SOL',
    'pool-too-young': '池子创建不足 1 小时',
    'coarse-token': '该代币最小单位过大',
    'no-reference-price': '暂无参考价',
    'creator-traded': '带单员或关联钱包 1 小时内买入过',
    'run-up': '追高限制：价格高于参考价',
    'coin-cap': '单币上限：该币占比已满',
    'cost-limit': '成本上限：近一小时或一天的费用与价格影响',
    'cap-per-trade': '您的单笔上限',
    'creator-stake': '带单员自有资金：跟单最多为其本笔的 10 倍，上榜后 19 倍',
    depth: '深度限制：池子深度不足',
    'nothing-to-sell': '该跟单未持有此代币',
    'price-moved': '价格偏离带单员成交价过多',
    'token-risk': '安全标记显示危险或未知',
    'follow-closing': '跟单正在取消',
    'joined-later': '您在此交易之后加入',
    'scaled-to-nothing': '池子深度不足',
    'creator-failed': '带单员自己的交易失败',
    'venue-refused': '交易所拒绝了该交易',
    expired: '未能及时确认：未成交',
    'failed-on-chain': '链上失败：未成交，已扣网络费',
    'dropped-by-chain': '确认后被网络丢弃：未成交',
    unknown: '因其他原因未跟单',
  } satisfies Texts,
} as const;

/** A newer server may give reasons that this build does not know. */
export function skipText(reason: string, language: 'en' | 'zh'): string {
  const texts: Readonly<Record<string, string>> = skipTexts[language];
  return texts[reason] ?? texts['unknown']!;
}
