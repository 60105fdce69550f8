import { expect, it } from 'vitest';
import { alertText } from './alert-text.ts';

it('of a deposit does not take a token that calls itself SOL for SOL', () => {
  const deposit = { kind: 'deposit', tokenSymbol: 'SOL', amount: '12.5', txHash: 'x' } as const;
  const mint = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
  expect(alertText({ ...deposit, tokenContractAddress: null }, 'en').text).toBe('12.50 SOL');
  for (const language of ['en', 'zh'] as const) {
    expect(alertText({ ...deposit, tokenContractAddress: mint }, language).text).toBe('12.5 SOL (DezX…B263)');
  }
});

it('of an exit names the maker of a token as the forms do, not as a strategy’s creator', () => {
  const token = { tokenContractAddress: 'x', tokenSymbol: 'FROG' };
  const exit = { kind: 'trigger', ...token, type: 'creator-sells', side: 'sell', outcome: 'filled' } as const;
  const titles = (['en', 'zh'] as const).map((language) => {
    return alertText({ ...exit, solAmount: null, txHash: null }, language).title;
  });
  expect(titles).toEqual(['Exit when the dev sells filled: FROG', 'Dev 卖出时退出已成交：FROG']);
});

it('of joining names all coins in one sentence, and of one round its coin as before', () => {
  const coin = (tokenSymbol: string, solAmount: string) => ({
    tokenContractAddress: tokenSymbol,
    tokenSymbol,
    solAmount,
    txHash: tokenSymbol,
  });
  const coins = [coin('CAT', '0.5'), coin('DOG', '0.5'), coin('FROG', '0.23')];
  const bought = { kind: 'round-filled', slug: 'moon', strategyName: 'Moon', side: 'buy', ...coins[0]! } as const;
  const texts = (joined?: { coins: typeof coins; solAmount: string }) =>
    (['en', 'zh'] as const).map((language) => alertText({ ...bought, joined }, language));
  expect(texts({ coins, solAmount: '1.23' })).toEqual([
    { title: 'Follow of Moon', text: 'Bought CAT, DOG and FROG for 1.23 SOL' },
    { title: '跟单 Moon', text: '已买入 CAT、DOG、FROG，共 1.23 SOL' },
  ]);
  expect(texts()[0]).toEqual({ title: 'Copied: buy CAT', text: 'Moon: your share 0.5000 SOL' });
});

it('of a leaked key or a token that its issuer took does not advise a freeze, which stops neither', () => {
  const textOf = (event: string, detail: string, language: 'en' | 'zh') =>
    alertText({ kind: 'security', event, detail }, language).text;
  expect(textOf('new-device', 'Firefox', 'en')).toBe('Firefox. If it was not you, freeze your account.');
  for (const event of ['external-outflow', 'key-exported']) {
    expect(textOf(event, '', 'en')).toMatch(/^If it was not you, withdraw everything to another wallet first/);
    expect(textOf(event, '', 'zh')).toMatch(/^如非本人操作，请先把全部资产提现到其他钱包/);
  }
  expect(textOf('issuer-outflow', '2 X', 'en')).toBe(
    '2 X. The token lets its issuer do this; a freeze does not stop it.',
  );
  expect(textOf('issuer-outflow', '2 X', 'zh')).toBe('2 X。该代币允许发行方这样做；冻结账户无法阻止。');
});
