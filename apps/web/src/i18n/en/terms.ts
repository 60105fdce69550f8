// The terms of use, which load with their dialog.
export default {
  title: 'Terms of use',
  updated: 'They apply to this Hunter site.',
  sections: {
    risk: {
      title: 'Meme tokens are risky',
      text: 'Most of them lose nearly all of their value, often within hours. Trade only what you can afford to lose. Nothing in Hunter is advice.',
    },
    copying: {
      title: 'Copying is your decision',
      text: 'Past yield does not predict the future. Following a strategy repeats its creator’s trades with your SOL until you cancel; the fees of each copy are known only after it. Canceling sells the tokens of that follow at market, or sends them to your wallet if you ask for it.',
    },
    wallet: {
      title: 'Custodial wallet',
      text: 'Hunter is custodial: it creates a Solana wallet for you, keeps its key encrypted and signs your trades with it. You receive the private key when you sign up, and can see it again with your password, a code sent by email and your second factor where you have one. Whoever has it can move your funds.',
    },
    fees: {
      title: 'Fees',
      text: 'Every trade pays network and swap fees. Your own trades show them before you confirm; copies show them in their figures afterwards. Every figure of your own profit includes them.',
    },
    conduct: {
      title: 'Fair use',
      text: 'Do not use Hunter to manipulate markets, to launder money or where the law forbids it. Accounts that do may be stopped from trading. Withdrawals are subject to limits, 24-hour holds and safety stops.',
    },
    data: {
      title: 'Your data',
      text: 'We store your email address, a hash of your password, the encrypted key of your wallet, your devices and IP addresses, and your trades. Trades are public on the Solana network.',
    },
  },
  accept: 'Agree',
} as const;
