// The guide of the first hour, and the list of keys.
export default {
  guide: {
    title: 'Getting started',
    text: 'Five steps, in any order. Each is done once your account shows it.',
    progress: '{done} of {total} done',
    done: 'done',
    later: 'Continue later',
    leave: 'Hide the guide',
    show: 'Show it again',
    steps: {
      deposit: {
        title: 'Deposit SOL',
        text: 'Send SOL to your wallet address. It is yours to trade with a few seconds later.',
        go: 'Deposit',
      },
      find: {
        title: 'Find a token',
        text: 'Filter the market by volume, holders and safety, and put a token on your watchlist with the star.',
        go: 'Discover',
      },
      buy: {
        title: 'Buy and protect',
        text: 'Buy a small amount with a stop loss or take profit: it sells by itself, also while you are away.',
        go: 'Choose a token',
      },
      follow: {
        title: 'Follow a strategy',
        text: 'Your SOL goes to your sub-account of the strategy and fills in its creator’s own swaps.',
        go: 'Strategies',
      },
      see: {
        title: 'See it in your account',
        text: 'Equity over time, positions, follows, fees and every trade with its transaction.',
        go: 'Account',
      },
    },
  },
  keys: {
    title: 'Keys',
    text: 'They work everywhere while nothing is being typed and no dialog is open.',
    list: {
      search: 'Search for a token',
      buy: 'On a token: Buy tab',
      sell: 'On a token: Sell tab',
      next: 'On Discover: next token',
      previous: 'On Discover: previous token',
      confirm: 'In the trade panel: place the order. On Discover: open the token',
      close: 'Close what is open',
      keys: 'This list',
    },
  },
};
