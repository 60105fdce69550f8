import { anAccount, logInAs } from './test-account.ts';
import { expect, test } from './web-test.ts';

// Pictures of fixed data in the bundled font, one set for all machines. Recorded anew with
// `playwright test --config e2e/playwright.config.ts e2e/pictures.spec.ts --update-snapshots`, and looked at.
test.use({ timezoneId: 'UTC', deviceScaleFactor: 1 });

const DIFFERENT_MAX = { maxDiffPixelRatio: 0.02 };

const fixed = {
  name: 'Steady trend',
  creator: { name: 'ada' },
  yieldRate: '128.46',
  followerReturn: '-3.17',
  maxDrawdown: '12.5',
  winRate: '61.54',
  closedTrades: 26,
  copyTradeFunds: '42.5',
  verify: { wallet: 'So11111111111111111111111111111111111111112', publishTxHash: null },
};

test('share cards look as recorded, in both themes', async ({ page, request }) => {
  const account = await anAccount(request);
  await logInAs(page, account);
  await page.clock.setFixedTime(new Date('2026-11-16T12:00:00Z'));
  const reply = await request.get('/api/strategy/getStrategyList', { headers: { token: account.token } });
  const { data } = (await reply.json()) as { data: { lists: { slug: string }[] } };
  await page.route('**/api/strategy/getStrategyDetail*', async (route) => {
    const real = await route.fetch();
    const body = (await real.json()) as { data: object };
    await route.fulfill({ json: { ...body, data: { ...body.data, ...fixed, slug: 'steady-trend' } } });
  });
  await page.goto(`/strategies/${encodeURIComponent(data.lists[0]!.slug)}`);
  await page.getByRole('button', { name: 'Share' }).click();
  const card = page.getByTestId('share-card');
  await expect(card).toHaveAttribute('aria-label', /Steady trend, Yield rate, \+128\.46%/);
  for (const theme of ['Dark', 'Light']) {
    await page.getByRole('radio', { name: theme }).check();
    let picture: Buffer = Buffer.alloc(0);
    // Drawn once the font is there, and again in the colours that were chosen.
    await expect
      .poll(async () => {
        const before = picture;
        const address = await card.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL('image/png'));
        picture = Buffer.from(address.split(',')[1]!, 'base64');
        return picture.length > 10_000 && picture.equals(before);
      })
      .toBe(true);
    expect(picture).toMatchSnapshot(`strategy-card-${theme.toLowerCase()}.png`, DIFFERENT_MAX);
  }
});
