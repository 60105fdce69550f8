import type { TokenTrade } from './trade-list.ts';

export const aTrade = (id: string, time = 0): TokenTrade => ({
  id,
  time,
  side: 'buy',
  price: '0.5',
  priceSol: '0.0025',
  tokenAmount: '2500',
  solAmount: '6.25',
  valueUsd: '1250',
  wallet: 'WaLLet1111111111111111111111111111111111111',
  txHash: 'hash',
});
