import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './web-test.ts';

/** No violation of the accessibility rules on the page as it is now, or in a part of it. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  // Colours on their way from one state to another have no contrast of their own. All of them last less than a second,
  // but one of something that is not painted never ends.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    const ended = Promise.allSettled(transitions.map((transition) => transition.finished));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  });
  const builder = new AxeBuilder({ page });
  const { violations } = await (part === undefined ? builder : builder.include(part)).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

/** The same in the light and in the dark theme; afterwards the page has the theme it had. */
export async function expectAccessibleInBothThemes(page: Page, part?: string): Promise<void> {
  const html = page.locator('html');
  const theme = (await html.getAttribute('data-theme')) ?? 'dark';
  const other = theme === 'dark' ? 'light' : 'dark';
  for (const each of [other, theme]) {
    await html.evaluate((element, value) => element.setAttribute('data-theme', value), each);
    await expectAccessible(page, part);
  }
}
