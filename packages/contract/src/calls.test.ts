import { expect, it } from 'vitest';
import { calls } from './calls.ts';
import { errorCatalogue } from './error-catalogue.ts';

const ofTheSpec = [
  ['GET', '/api/v1/kline'],
  ['POST', '/api/login/register'],
  ['POST', '/api/login/sendEmailCode'],
  ['POST', '/api/login/check'],
  ['GET', '/api/user/myWallet'],
  ['GET', '/api/strategy/getStrategyList'],
  ['GET', '/api/token/getTokenBaseInfo'],
  ['GET', '/api/token/getTokenTransactionData'],
  ['GET', '/api/token/getTokenList'],
  ['POST', '/api/user/withdrawal'],
  ['POST', '/api/strategy/follow_strategy'],
  ['GET', '/api/user/getMyTradeRecord'],
  ['GET', '/api/token/getTokenGoldenDogNotice'],
  ['GET', '/api/token/getTokenHolders'],
  ['GET', '/api/token/getTokenHotList'],
  ['POST', '/api/token/tokenTransfer'],
  ['GET', '/api/token/tokenPrice'],
  ['GET', '/api/user/getMyTokenAmount'],
  ['POST', '/api/token/tokenClose'],
] as const;

it.each(ofTheSpec)('has the call %s %s', (method, path) => {
  expect(Object.values(calls).filter((call) => call.path === path && call.method === method)).toHaveLength(1);
});

it('gives every refusal a number of its own and both languages', () => {
  const entries = Object.values(errorCatalogue);
  expect(new Set(entries.map((entry) => entry.code)).size).toBe(entries.length);
  for (const entry of entries) expect(entry.zh).not.toBe(entry.en);
});

it('knows the chain by 501 in production and 501_1 in test', () => {
  expect(calls.getTokenList.request.safeParse({ chainId: '501' }).success).toBe(true);
  expect(calls.getTokenList.request.safeParse({ chainId: '501_1' }).success).toBe(true);
  expect(calls.getTokenList.request.safeParse({ chainId: '1' }).success).toBe(false);
});
