// The panel of the search box; it loads with the panel.
export default {
  hint: 'Please enter keyword to search',
  loading: 'Searching…',
  none: 'No tokens found',
  wallet: 'Open wallet {address}',
  results: 'Tokens found',
  hot: 'Hot tokens',
  recent: 'Recent',
  forgetRecent: 'Clear recent searches',
  columns: {
    name: 'Name',
    price: 'Price',
    change: '24h',
    marketCap: 'Market cap',
    liquidity: 'Liquidity',
    holders: 'Holders',
  },
} as const;
