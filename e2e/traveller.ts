// Somebody who walks through the product in one language, theme and screen size, and trips over what does not fit.
import { errorCatalogue } from '@hunter/contract/error-catalogue';
import type { Locator, Page } from '@playwright/test';
import { mailedCode, saveSettings, TEST_PASSWORD } from './test-account.ts';
import { CHAIN } from './test-money.ts';
import type { MarketToken } from './test-money.ts';
import type { Texts } from './texts.ts';
import { expectToast } from './toasts.ts';
import { expect } from './web-test.ts';

const TRADE_ATTEMPTS = 3;

export class Traveller {
  readonly page: Page;
  readonly t: Texts;

  constructor(page: Page, t: Texts) {
    this.page = page;
    this.t = t;
  }

  get main(): Locator {
    return this.page.locator('main');
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  async expectToast(text: string): Promise<void> {
    await expectToast(this.page, text, CHAIN);
  }

  button(name: string, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true });
  }

  /** Nothing reaches beyond the screen, and no button, tab or heading of a table loses letters of its text. */
  async expectNothingCut(): Promise<void> {
    const found = await this.page.evaluate(() => {
      const wider = document.documentElement.scrollWidth - innerWidth;
      const labels = [...document.querySelectorAll('button, [role=tab], th, label, h1, h2, h3, header span')];
      const cut = labels.filter((label) => {
        // What people named themselves may end in an ellipsis; our own words may not.
        if (label.querySelector('bdi') !== null || !(label as HTMLElement).checkVisibility()) return false;
        return [label, ...label.querySelectorAll('*')].some((part) => {
          const { overflowX, display } = getComputedStyle(part);
          // A text for screen readers only is one pixel wide.
          const shown = display !== 'inline' && part.clientWidth > 1;
          return shown && overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1;
        });
      });
      return { wider: Math.max(0, wider), cut: cut.map((label) => label.textContent) };
    });
    expect(found).toEqual({ wider: 0, cut: [] });
  }

  async register(email: string): Promise<void> {
    const { page, t } = this;
    await page.goto('/register');
    await page.locator('input[name=email]').fill(email);
    await page.locator('input[name=password]').fill(TEST_PASSWORD);
    await page.locator('input[name=confirmPassword]').fill(TEST_PASSWORD);
    await this.button(t('auth.sendCode')).click();
    await page.getByLabel(t('auth.code')).fill(await mailedCode(page.request, email));
    await page.locator('input[name=inviteCode]').fill('HUNTER');
    await page.locator('input[name=agreement]').check();
    await this.expectNothingCut();
    await this.button(t('auth.register.submit'), this.main).click();
    await page.getByLabel(t('newWallet.saved')).check();
    await this.expectNothingCut();
    await this.button(t('newWallet.enter')).click();
    await expect(page.getByTestId('header-balance')).toHaveText('10.00 SOL', CHAIN);
    const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? '';
    await saveSettings(page.request, token);
  }

  async searchFor(token: MarketToken): Promise<void> {
    const { page, t } = this;
    const opener = this.button(t('shell.search.open'));
    if (await opener.isVisible()) await opener.click();
    else await page.keyboard.press('/');
    await page.getByRole('combobox', { name: t('shell.search.label') }).fill(token.tokenContractAddress);
    await expect(page.getByRole('listbox', { name: t('search.results') })).toBeVisible();
    await page.locator(`[data-testid=search-row][data-address="${token.tokenContractAddress}"]`).first().click();
    // The address is that of the next page while the one that is left may still stand there.
    await expect(page.getByTestId('token-symbol')).toHaveText(token.tokenSymbol, CHAIN);
  }

  /** The trade panel stands beside the chart, or on a narrow screen behind a button for each side. */
  async openTrade(side: 'buy' | 'sell'): Promise<Locator> {
    const panel = this.page.getByTestId('trade-panel');
    const bar = this.page.getByTestId('trade-bar');
    await expect(panel.or(bar).first()).toBeVisible(CHAIN);
    const label = this.t(`trade.${side}`);
    if (!(await panel.isVisible())) await this.button(label, bar).click();
    await panel.getByText(label, { exact: true }).click();
    return panel;
  }

  /** Places what the panel holds, sees it confirmed and leaves the panel. */
  async trade(): Promise<void> {
    const submit = this.page.getByTestId('trade-submit');
    await this.expectNothingCut();
    // The market moves: a trade that it outran is refused, and people press again.
    for (let attempt = 1; ; attempt += 1) {
      await submit.click();
      await expect(submit).toHaveAttribute(
        'data-phase',
        attempt < TRADE_ATTEMPTS ? /confirmed|refused/ : 'confirmed',
        CHAIN,
      );
      if ((await submit.getAttribute('data-phase')) === 'confirmed') break;
      const { en, zh } = errorCatalogue.PRICE_MOVED;
      await expect(this.page.getByText(en).or(this.page.getByText(zh)).first()).toBeVisible();
    }
    await this.expectToast(this.t('trade.success'));
    const close = this.button(this.t('ui.close'), this.dialog);
    if (await close.isVisible()) await close.click();
    // A sheet that is on its way out would be taken for an open one.
    await expect(this.dialog).toBeHidden();
  }

  async buy(amount: string): Promise<void> {
    const panel = await this.openTrade('buy');
    await panel.getByRole('textbox', { name: this.t('trade.amountInSol') }).fill(amount);
    await this.trade();
  }

  async sellShare(percent: number): Promise<void> {
    const panel = await this.openTrade('sell');
    await this.button(`${percent}%`, panel).click();
    await this.trade();
  }

  async follow(mode: 'sol' | 'position', amount: string): Promise<void> {
    const { dialog, page, t } = this;
    await this.button(t('strategy.actions.follow'), this.main).click();
    await dialog.getByText(t(`strategy.follow.modes.${mode}`), { exact: true }).click();
    await dialog.getByLabel(t('strategy.follow.amount'), { exact: true }).fill(amount);
    await this.expectNothingCut();
    await this.button(t('strategy.follow.submit', { amount }), dialog).click();
    await this.expectToast(t('strategy.follow.success'));
    await expect(page.getByTestId('my-follow')).toHaveAttribute('data-status', 'active', CHAIN);
  }

  receipt(side: 'buy' | 'sell', token: MarketToken): Locator {
    const text = this.t(`strategy.receipts.${side}`, { symbol: token.tokenSymbol });
    return this.page.getByRole('row').filter({ hasText: text });
  }
}
