import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './web-test.ts';

/** A theme changes colours and nothing else, so these are the rules that can fail in one of them only. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** No violation of the accessibility rules, or of some of them, on the page as it is now or in a part of it. */
async function expectAccessible(page: Page, part: string | undefined, rules?: string[]): Promise<void> {
  // Colours on their way from one state to another have no contrast of their own. All of them last less than a second,
  // but one of something that is not painted never ends.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    const ended = Promise.allSettled(transitions.map((transition) => transition.finished));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  });
  // Only what is wrong is worked out and handed over. The other mode is for frames of elsewhere: it tests each frame by itself and puts
  // the results together in another page, with all that was right.
  const builder = new AxeBuilder({ page })
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ['violations'] });
  if (part !== undefined) builder.include(part);
  if (rules) builder.withRules(rules);
  const { violations } = await builder.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

/** No violation in the light and in the dark theme; afterwards the page has the theme it had. */
export async function expectAccessibleInBothThemes(page: Page, part?: string): Promise<void> {
  const html = page.locator('html');
  const theme = (await html.getAttribute('data-theme')) ?? 'dark';
  const wear = (chosen: string) => html.evaluate((element, value) => element.setAttribute('data-theme', value), chosen);
  await expectAccessible(page, part);
  await wear(theme === 'dark' ? 'light' : 'dark');
  await expectAccessible(page, part, COLOUR_RULES);
  await wear(theme);
}
