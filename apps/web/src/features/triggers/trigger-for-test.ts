import type { CallReply } from '@hunter/contract/calls';
import type { Trigger } from './trigger.ts';

export function aTrigger(changes: Partial<Trigger> = {}): Trigger {
  return {
    id: '0198c0de-0000-7000-8000-000000000001',
    kind: 'stop-loss',
    side: 'sell',
    state: 'open',
    tokenContractAddress: 'So11111111111111111111111111111111111111112',
    tokenSymbol: 'FWOG',
    tokenName: 'Fwog',
    tokenLogoUrl: '/fwog.svg',
    bookId: '0198c0de-0000-7000-8000-00000000000b',
    bookKind: 'personal',
    bookName: '',
    level: { unit: 'sol', value: '0.0000125', when: 'below' },
    amount: null,
    slippageBps: 2_000,
    heldSol: null,
    group: null,
    trailing: null,
    schedule: null,
    firesAt: null,
    protect: null,
    entryOrderId: null,
    positionOpenedAt: null,
    createdAt: 1_790_000_000_000,
    expiresAt: null,
    firedAt: null,
    firedPrice: null,
    endedAt: null,
    outcome: null,
    orderId: null,
    txHash: null,
    orderError: null,
    firings: 0,
    ...changes,
  };
}

type TokenInfo = CallReply<'getTokenBaseInfo'>;

export function aTokenInfo(changes: Partial<TokenInfo['token']> = {}): TokenInfo {
  const { tokenContractAddress, tokenSymbol, tokenName, tokenLogoUrl } = aTrigger();
  return {
    token: {
      tokenContractAddress,
      tokenSymbol,
      tokenName,
      tokenLogoUrl,
      price: '0.003',
      priceSol: '0.000015',
      change: null,
      change1h: null,
      periodChange: null,
      sinceLaunch: null,
      marketCap: '3000000',
      liquidity: '34000',
      volume: '1000',
      supply: '1000000000',
      holders: 10,
      trend: [],
      risk: 'ok',
      createdAt: 0,
      decimals: 6,
      creator: null,
      ...changes,
    },
    market: { holders: 10, tradeCount: 7, tradeVolume: '1000', buyCount: 5, sellCount: 2 },
    safety: { checkedAt: 1, transferTax: null, badges: [] },
  };
}
