// Compares a picture with the recorded one block by block. Letters drawn a little differently, by another processor or another
// version of the browser, change single pixels and hardly the mean colour of a block; a label that moved by a few pixels changes
// the blocks it left and those it came to, however small it is in the whole picture.
import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';

const BLOCK_PX = 8;
/**
 * Of the mean of a colour in a block, 0 to 255. In another browser the small letters of a page differ by up to 7, a single one by 14,
 * and the large ones of a card by up to 24; a label that moved by 3 pixels makes 14 to 20 and 40, and in two blocks at least.
 */
const DIFFERENCE_MAX = { page: 10, card: 32 };

/** To be called after the picture was compared as a whole, which also records it. */
export async function expectNothingMoved(
  page: Page,
  { of, picture, name }: { of: keyof typeof DIFFERENCE_MAX; picture: Buffer; name: string },
): Promise<void> {
  const recorded = readFileSync(test.info().snapshotPath(name, { kind: 'snapshot' }));
  const pictures = [recorded, picture].map((each) => each.toString('base64'));
  const differences = await page.evaluate(blockDifferences, { pictures, blockPx: BLOCK_PX });
  const changed = differences.filter(({ difference }) => difference > DIFFERENCE_MAX[of]);
  const moved = changed.length > 1 ? changed : [];
  expect(moved, `blocks of ${name} that differ from the recorded picture`).toEqual([]);
}

type Difference = { x: number; y: number; difference: number };

/** Runs in the page, which can decode pictures. */
async function blockDifferences({ pictures, blockPx }: { pictures: string[]; blockPx: number }): Promise<Difference[]> {
  const [before, after] = await Promise.all(
    pictures.map(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    }),
  );
  const { width, height } = before!;
  const found: Difference[] = [];
  for (let y = 0; y < height; y += blockPx) {
    for (let x = 0; x < width; x += blockPx) {
      const sums = [0, 0, 0];
      const [right, bottom] = [Math.min(x + blockPx, width), Math.min(y + blockPx, height)];
      for (let row = y; row < bottom; row += 1) {
        for (let column = x; column < right; column += 1) {
          const at = (row * width + column) * 4;
          sums.forEach((sum, colour) => {
            sums[colour] = sum + after!.data[at + colour]! - before!.data[at + colour]!;
          });
        }
      }
      const difference = Math.max(...sums.map(Math.abs)) / ((right - x) * (bottom - y));
      if (difference > 0) found.push({ x, y, difference: Math.round(difference) });
    }
  }
  return found;
}
