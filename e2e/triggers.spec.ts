import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { logInAs } from './test-account.ts';
import { aFundedAccount, CHAIN, tradableTokens } from './test-money.ts';
import { expectToast } from './toasts.ts';
import { expect, test } from './web-test.ts';

/** Pixels from the edge of the chart: the border of a label that stands first, and what is inside. */
const LABEL = { border: 8, inside: 11 };

/**
 * Where the label of the stop loss stands on the chart, null where there is none: lines are drawn on a canvas, so they are found by
 * their colour. Of an order the label is filled; of one that is not placed yet it is an outline.
 */
async function stopLabel(page: Page, part: keyof typeof LABEL): Promise<{ x: number; y: number } | null> {
  return page.evaluate((distance) => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--down-solid)';
    document.body.append(probe);
    const wanted = getComputedStyle(probe).color.match(/\d+/g)!.slice(0, 3).map(Number);
    probe.remove();
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('[data-testid=chart] canvas')) {
      const { left, top, width } = canvas.getBoundingClientRect();
      if (width < 300) continue;
      const scale = canvas.width / width;
      const column = canvas.getContext('2d')!.getImageData(Math.round(distance * scale), 0, 1, canvas.height).data;
      const rows = [...Array(canvas.height).keys()].filter((row) =>
        wanted.every((value, at) => Math.abs(value - column[row * 4 + at]!) < 6),
      );
      // The label is a block of that colour, its border straight between round corners; a candle at the edge is of another red.
      if (rows.length >= 6) return { x: left + 20, y: top + (rows[0]! + rows.at(-1)!) / 2 / scale };
    }
    return null;
  }, LABEL[part]);
}

async function stopLine(page: Page): Promise<{ x: number; y: number }> {
  let found: { x: number; y: number } | null = null;
  await expect
    .poll(async () => {
      found = await stopLabel(page, 'inside');
      return found;
    }, CHAIN)
    .not.toBeNull();
  return found!;
}

/** Whoever gets the link finds the trade on the chain, under the code of the card. */
async function checkProof(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByTestId('proof-code')).toHaveText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/, CHAIN);
  await expect(page.getByRole('list', { name: 'Trades' })).toContainText(/Buy .+ SOL/);
  await expectAccessibleInBothThemes(page);
  await page.close();
}

test('a trader protects a buy, shares it, drags the stop past the price, is told, and finds it in the record', async ({
  page,
  context,
  request,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [token] = await tradableTokens(request, 1);
  const account = await aFundedAccount(request);
  await logInAs(page, account);
  await page.goto(`/token/${token!.tokenContractAddress}?interval=1m`);
  await expect(page.locator('[data-testid=chart][data-phase=ready]')).toBeVisible(CHAIN);

  const panel = page.getByTestId('trade-panel');
  await panel.getByLabel('Amount in SOL').fill('0.5');
  const planned = () => stopLabel(page, 'border');
  expect(await planned()).toBeNull();
  await panel.getByText('Protect this buy').click();
  await expect.poll(planned).not.toBeNull();
  expect(await stopLabel(page, 'inside')).toBeNull();
  await page.getByText('Limit', { exact: true }).click();
  await expect.poll(planned).toBeNull();
  await page.getByText('Market', { exact: true }).click();
  await expect.poll(planned).not.toBeNull();
  await panel.getByText('Protect this buy').click();
  await expect.poll(planned).toBeNull();
  await panel.getByText('Protect this buy').click();
  await expect(page.getByTestId('protect-text')).toContainText('−25% or +100% from your average cost');
  await expectAccessibleInBothThemes(page, '[data-testid=trade-panel]');
  await panel.getByRole('button', { name: /^Buy and protect/ }).click();
  await expect(page.getByTestId('order-status')).toContainText('Bought', CHAIN);

  await page.getByRole('tab', { name: /^Orders/ }).click();
  const orders = page.getByRole('table', { name: 'Trigger orders' });
  await expect(orders.getByRole('row').filter({ hasText: 'Take profit' })).toContainText('OCO', CHAIN);
  await expect(orders.getByRole('row').filter({ hasText: 'Stop loss' })).toContainText('or below', CHAIN);

  await page.getByTestId('position-card').getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click(CHAIN);
  await expectToast(page, 'Link copied');
  await checkProof(await context.newPage(), await page.evaluate(() => navigator.clipboard.readText()));
  await page.keyboard.press('Escape');

  await page.getByTestId('chart').scrollIntoViewIfNeeded();
  const { x, y } = await stopLine(page);
  const chart = (await page.getByTestId('chart').boundingBox())!;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, chart.y + 40, { steps: 12 });
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: /^Move Stop loss/ });
  await expect(dialog.getByRole('alert')).toContainText('fire at once');
  await dialog.getByRole('button', { name: 'Move order' }).click();
  await expect(dialog).toBeHidden();

  await page.getByText('History', { exact: true }).click();
  await expect(orders.getByRole('row').filter({ hasText: 'Stop loss' })).toContainText('filled, fired at', CHAIN);
  await expect(orders.getByRole('row').filter({ hasText: 'Take profit' })).toContainText(
    'the other order of the pair fired',
    CHAIN,
  );
  await page.getByTestId('alert-bell').click();
  const told = page.getByTestId('alert-list').getByRole('listitem');
  await expect(told.filter({ hasText: `Stop loss filled: ${token!.tokenSymbol}` })).toBeVisible(CHAIN);
  await page.goto('/account?tab=record&view=trade');
  await expect(page.getByRole('row').filter({ hasText: token!.tokenSymbol })).toBeVisible(CHAIN);
});
