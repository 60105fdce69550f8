// Every number on the screens against the API's. The market is held still for the page.
import { formatCount } from '@hunter/domain/format/format-count';
import { formatPercent } from '@hunter/domain/format/format-percent';
import { formatPrice } from '@hunter/domain/format/format-price';
import { formatSol } from '@hunter/domain/format/format-sol';
import { formatTokens } from '@hunter/domain/format/format-tokens';
import { printUsdParts, usdParts } from '@hunter/domain/format/format-usd';
import type { Locator } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { holdStill } from './hold-still.ts';
import { logInAs } from './test-account.ts';
import { aFundedAccount, aStrategy, callAs, tradableTokens } from './test-money.ts';
import { expectToast } from './toasts.ts';
import { expect, test } from './web-test.ts';

/** A page that asks for much at once, on a machine that does other things too. */
const SLOW = { timeout: 45_000 };

/** The page lowers the count of a run of zeros instead of writing it with small digits. */
const shown = (text: string): string => text.replace(/[₀-₉]/g, (digit) => String(digit.charCodeAt(0) - 0x2080));
const usd = (value: string | null) => shown(printUsdParts(usdParts(value)));
const price = (value: string | null) => shown(formatPrice(value));
const priceSol = (value: string | null) => (value === null ? '-' : `${shown(formatPrice(value)).replace('$', '')} SOL`);
const share = (value: string | null) => formatPercent(value).replace('+', '');
const loss = (value: string | null) => formatPercent(Number(value) === 0 ? value : `-${value}`);
const profit = (value: string | null) => `${value !== null && Number(value) > 0 ? '+' : ''}${formatSol(value)}`;

async function expectTexts(place: Locator, texts: readonly string[]): Promise<void> {
  for (const text of texts) await expect(place).toContainText(text, SLOW);
}

test('token page, hot list and search show the figures of the API', async ({ page, request }) => {
  const account = await aFundedAccount(request);
  const { token } = await aStrategy(request, account);
  await logInAs(page, account);
  const answer = await holdStill(page);
  await page.goto(`/token/${token.tokenContractAddress}`);
  const { token: info, market } = await answer('getTokenBaseInfo');
  await expect(page.getByTestId('token-stats')).toHaveText(
    [
      `Market cap${usd(info.marketCap)}`,
      `Liquidity${usd(info.liquidity)}`,
      `Holders${formatCount(info.holders)}`,
      `Supply${formatTokens(info.supply)}`,
      `24h volume${usd(market.tradeVolume)}`,
    ].join(''),
    SLOW,
  );
  await expect(page.getByTestId('token-price')).toHaveText(
    `${price(info.price)}${priceSol(info.priceSol)}${formatPercent(info.change)} 24h${formatPercent(info.change1h)} 1h`,
    SLOW,
  );
  await expectTexts(page.getByTestId('market-card'), [
    `Buys ${formatCount(market.buyCount)}`,
    `Sells ${formatCount(market.sellCount)}`,
    `Trades${formatCount(market.tradeCount)}`,
    `Volume${usd(market.tradeVolume)}`,
    `Holders${formatCount(market.holders)}`,
  ]);
  const hot = await answer('getTokenHotList', 'limit=30');
  await expect(page.getByTestId('hot-row')).toHaveText(
    hot.lists.map(
      (each) => `${each.tokenSymbol}${usd(each.marketCap)}${price(each.price)}${formatPercent(each.periodChange)}`,
    ),
    SLOW,
  );
  await page.getByRole('combobox', { name: 'Search tokens' }).fill(token.tokenContractAddress);
  const found = await answer('getTokenList', token.tokenContractAddress);
  const [first] = found.lists;
  if (!first) throw new Error('the search found nothing');
  await expectTexts(page.getByTestId('search-row').first(), [
    price(first.price),
    formatPercent(first.change),
    usd(first.marketCap),
    usd(first.liquidity),
    formatCount(first.holders),
  ]);
});

test('strategy card and page show the figures of the API', async ({ page, request }) => {
  const account = await aFundedAccount(request);
  const { slug, name } = await aStrategy(request, account);
  await logInAs(page, account);
  const answer = await holdStill(page);
  await page.goto(`/strategies?keyword=${encodeURIComponent(name)}`);
  const [card] = (await answer('getStrategyList', 'keyword=')).lists;
  if (!card) throw new Error('the square does not show the strategy');
  await expectTexts(page.getByTestId('strategy-card'), [
    formatPercent(card.yieldRate),
    `Followers${card.followers}`,
    `Max drawdown${loss(card.maxDrawdown)}`,
    `Copy trade funds${formatSol(card.copyTradeFunds)}`,
    `Capital${formatSol(card.capitalAmount)}`,
  ]);
  await page.goto(`/strategies/${slug}`);
  const detail = await answer('getStrategyDetail');
  await expectTexts(page.getByRole('group', { name: 'Figures' }), [
    `Yield rate${formatPercent(detail.yieldRate)}`,
    'Follower return (median)No follower data',
    `Followers${detail.followers}`,
    `Copy trade funds${formatSol(detail.copyTradeFunds)}`,
    `Capital${formatSol(detail.capitalAmount)}`,
    `Current value${formatSol(detail.equity)}`,
  ]);
  await expectTexts(page.getByRole('region', { name: 'Record' }), [
    `Counted trips${detail.record.countedTrips === 0 ? 'none yet' : `${detail.record.wonTrips} of ${detail.record.countedTrips} won`}`,
    `Off-market trips${detail.record.offMarketTrips === 0 ? 'none' : detail.record.offMarketTrips}`,
  ]);
  const [coin] = detail.positions;
  if (!coin) throw new Error('the strategy holds nothing');
  const row = page.getByRole('region', { name: 'Included coins' }).getByRole('row').nth(1);
  await expectTexts(row, [
    share(coin.weight),
    formatTokens(coin.amount),
    formatSol(coin.cost),
    formatSol(coin.value),
    `${formatPercent(coin.profitPercent)}${profit(coin.profit)}`,
  ]);
});

test('account, positions, records, deposits and header show the figures of the API', async ({ page, request }) => {
  const account = await aFundedAccount(request);
  await aStrategy(request, account);
  await logInAs(page, account);
  const answer = await holdStill(page);
  await page.goto('/account?tab=position');
  const { walletInfo } = await answer('myWallet');
  const figures = await answer('getMyAccount');
  await expect(page.getByTestId('header-balance')).toHaveText(formatSol(figures.equity), SLOW);
  await expect(page.getByTestId('header-available')).toHaveText(`${formatSol(walletInfo.available)} avail.`);
  await expect(page.getByTestId('figure-balance')).toHaveText(
    `Balance${formatSol(figures.balance)}${formatSol(figures.available)} available`,
    SLOW,
  );
  await expectTexts(page.getByTestId('figure-equity'), [
    `${formatSol(figures.equity)}${usd(figures.equityUsd)}`,
    `${formatSol(figures.inStrategies)} in strategies · ${formatSol(figures.inFollows)} in follows`,
  ]);
  await expect(page.getByTestId('figure-total-return')).toHaveText(
    `Total return rate${formatPercent(figures.totalReturnRate)}PnL ${profit(figures.totalProfit)}`,
  );
  const [position] = (await answer('getMyPositions')).lists;
  if (!position) throw new Error('there is no position');
  await expectTexts(page.getByRole('region', { name: 'My positions' }).getByRole('row').nth(1), [
    formatTokens(position.amount),
    formatSol(position.cost),
    `${formatSol(position.value)}${usd(position.valueUsd)}`,
    `${formatPercent(position.unrealizedPercent)}${profit(position.unrealizedProfit)}`,
  ]);
  await page.goto('/account?tab=record&view=trade');
  const record = await answer('getMyTradeRecord', 'type=trade');
  if (record.type !== 'trade' || !record.lists[0]) throw new Error('there is no trade record');
  const [trade] = record.lists;
  await expectTexts(page.getByRole('region', { name: 'Trade record' }).getByRole('row').nth(1), [
    priceSol(trade.openPrice),
    `${formatSol(trade.totalBuyValue)}${formatTokens(trade.totalBuyAmount)}`,
    `${formatSol(trade.totalSellValue)}${formatTokens(trade.totalSellAmount)}`,
    `${profit(trade.realizedProfit)}${profit(trade.unrealizedProfit)}`,
    `${profit(trade.pnl)}${formatPercent(trade.pnlPercent)}`,
  ]);
  await page.goto('/account?dialog=deposit');
  const [deposit] = (await answer('getMyDeposits')).lists;
  if (!deposit) throw new Error('there is no deposit');
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText(
    `${formatTokens(deposit.amount)} ${deposit.tokenSymbol}`,
    SLOW,
  );
});

test('my following and withdrawals show the figures of the API', async ({ page, request }) => {
  const [creator, account] = await Promise.all([aFundedAccount(request), aFundedAccount(request)]);
  const { slug } = await aStrategy(request, creator);
  await callAs(request, account, 'POST', '/api/strategy/follow_strategy', { slug, mode: 'sol', amount: '1' });
  await callAs(request, account, 'POST', '/api/user/withdrawal', {
    toWallet: creator.walletAddress,
    amount: '0.5',
    password: account.password,
  });
  await logInAs(page, account);
  const answer = await holdStill(page);
  await page.goto('/myfollowing');
  const [follow] = (await answer('getMyFollows')).lists;
  if (!follow) throw new Error('there is no follow');
  await expectTexts(page.getByRole('region', { name: 'My follows' }).getByRole('row').nth(1), [
    formatSol(follow.amount),
    formatSol(follow.equity),
    `${formatPercent(follow.changeRate)}${profit(follow.pnl)}`,
  ]);
  await page.goto('/account?dialog=withdraw');
  const [withdrawal] = (await answer('getMyWithdrawals')).lists;
  if (!withdrawal) throw new Error('there is no withdrawal');
  const listed = page.getByRole('dialog').getByRole('listitem').first();
  await expect(listed).toContainText(`${withdrawal.amount} SOL`, SLOW);
});

test('Discover shows a visitor the figures of the API, asks for a login and then buys with one click', async ({
  page,
  request,
}) => {
  const account = await aFundedAccount(request);
  await tradableTokens(request, 3);
  const answer = await holdStill(page);
  await page.goto('/discover?f=liquidity_1000_');
  const { lists, total } = await answer('getTokenDiscover', 'liquidityMin=1000');
  await expect(page.getByText(`${total} tokens`)).toBeVisible(SLOW);
  const rows = page.getByRole('table', { name: 'Tokens' }).getByRole('row');
  for (const [index, token] of lists.slice(0, 3).entries()) {
    const cells = rows.nth(index + 1).locator('[data-column]');
    const kind = (held: { share: string } | null) => (held === null ? '?' : whole(held.share));
    await expect(cells).toHaveText([
      price(token.price),
      token.periodChange === null && token.changeSinceLaunch !== null
        ? `${formatPercent(token.changeSinceLaunch)}since launch`
        : formatPercent(token.periodChange),
      '',
      usd(token.marketCap),
      usd(token.liquidity),
      usd(token.volume),
      token.buys === null ? '-' : `${token.buys} / ${token.sells}`,
      formatCount(token.holders),
      [
        `T ${token.top10 === null ? '?' : whole(token.top10)}`,
        `D ${token.creatorShare === null ? '?' : whole(token.creatorShare)}`,
        `N ${token.creatorTokens ?? '?'}`,
        `S ${kind(token.snipers)}`,
        `B ${kind(token.bundlers)}`,
        `I ${kind(token.insiders)}`,
        `F ${kind(token.freshWallets)}`,
        `P ${token.provenTraders ?? '?'}`,
      ].join(''),
      token.fees === null ? '?' : formatSol(token.fees),
      token.curve === null ? '-' : `${Math.trunc(Number(token.curve))}%`,
    ]);
  }
  await expectAccessibleInBothThemes(page, 'main');

  const buy = page.getByRole('button', { name: `Buy ${lists[0]!.tokenSymbol} for 0.1 SOL` });
  await buy.click();
  await expect(page).toHaveURL(/\/login\?redirect=/);
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/discover?f=liquidity_1000_');

  await page.unrouteAll({ behavior: 'wait' });
  await logInAs(page, account);
  await page.goto('/discover?f=liquidity_1000_');
  await page.getByTestId('quick-buy').first().click(SLOW);
  await page.getByRole('button', { name: 'Turn on and buy' }).click();
  await expectToast(page, /^Bought .+ for 0\.1000 SOL · \w{4}…\w{4}/m, SLOW);
});

const whole = (share: string) => `${Math.round(Number(share))}%`;
