import type source from '../en/search.ts';
import type { TranslationOf } from '../messages.ts';

export default {
  hint: '请输入关键词搜索',
  loading: '搜索中…',
  none: '未找到代币',
  wallet: '打开钱包 {address}',
  results: '找到的代币',
  hot: '热门代币',
  recent: '最近搜索',
  forgetRecent: '清除最近搜索',
  columns: {
    name: '名称',
    price: '价格',
    change: '24h 涨跌',
    marketCap: '市值',
    liquidity: '流动性',
    holders: '持有人',
  },
} satisfies TranslationOf<typeof source>;
