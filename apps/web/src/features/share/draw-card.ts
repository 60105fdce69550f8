// Draws a share card. The size is fixed, whatever the screen, and the font is the app's own, so that a card looks the same
// everywhere.
import type { Card, Tone } from './card.ts';

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;
const MARGIN = 72;
const FAMILY = `'Inter Variable', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif`;

const NAMES = ['bg', 'surface', 'line', 'text', 'muted', 'faint', 'accent', 'accent-text', 'up', 'down'] as const;
export type CardWords = { product: string; verify: string; time: string };
export type Palette = Readonly<Record<(typeof NAMES)[number], string>>;

/** The colours of a theme, from an element that wears it. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Palette;
}

/** Text is drawn with a font only once it is there. */
export async function loadCardFont(): Promise<void> {
  await Promise.all([400, 600, 700].map((weight) => document.fonts.load(`${weight} 40px 'Inter Variable'`)));
}

export function drawCard(context: CanvasRenderingContext2D, card: Card, palette: Palette, words: CardWords): void {
  const text = (
    value: string,
    x: number,
    y: number,
    look: { size: number; weight?: number; colour: string; align?: CanvasTextAlign; most?: number },
  ): void => {
    context.font = `${look.weight ?? 400} ${look.size}px ${FAMILY}`;
    context.fillStyle = look.colour;
    context.textAlign = look.align ?? 'left';
    context.fillText(fitted(context, value, look.most ?? CARD_WIDTH - 2 * MARGIN), x, y);
  };
  const toned = (tone: Tone): string => (tone === 'plain' ? palette.text : palette[tone]);

  context.textBaseline = 'alphabetic';
  context.fillStyle = palette.bg;
  context.fillRect(0, 0, CARD_WIDTH, CARD_HEIGHT);
  context.fillStyle = palette.accent;
  context.fillRect(0, 0, CARD_WIDTH, 8);
  drawSight(context, MARGIN + 20, 90, palette.accent);
  text(words.product, MARGIN + 56, 102, { size: 34, weight: 700, colour: palette.text });
  text(words.time, CARD_WIDTH - MARGIN, 100, { size: 24, colour: palette.faint, align: 'right' });

  text(card.title, MARGIN, 212, { size: 60, weight: 700, colour: palette.text });
  text(card.subtitle, MARGIN, 254, { size: 27, colour: palette.muted });
  text(card.headline.label, MARGIN, 336, { size: 27, colour: palette.muted });
  text(card.headline.value, MARGIN, 446, { size: 112, weight: 700, colour: toned(card.headline.tone), most: 620 });

  const [left, right] = [730, CARD_WIDTH - MARGIN];
  const height = Math.min(56, Math.floor(150 / (card.lines.length - 1)));
  card.lines.forEach(({ label, value, tone }, index) => {
    const y = 336 + index * height;
    text(label, left, y, { size: 24, colour: palette.muted, most: 220 });
    // The value gets what its label leaves.
    const most = right - left - 16 - Math.min(220, context.measureText(label).width);
    drawFigure(context, value, right, y, { size: 26, colour: toned(tone), most });
  });

  context.fillStyle = palette.line;
  context.fillRect(MARGIN, 520, CARD_WIDTH - 2 * MARGIN, 2);
  if (card.link === null) return;
  text(words.verify, MARGIN, 562, { size: 22, colour: palette.muted });
  text(card.link.replace(/^https?:\/\//, ''), MARGIN, 594, {
    size: 22,
    weight: 600,
    colour: palette['accent-text'],
    most: 780,
  });
  if (card.code)
    text(card.code, CARD_WIDTH - MARGIN, 588, { size: 34, weight: 700, colour: palette.text, align: 'right' });
}

/** The figure that counts zeros, which the bundled font lacks as a small one. */
const COUNTED_ZEROS = /([₀-₉]+)/;

/** Ends at x. A figure that counts zeros is drawn small and low. */
function drawFigure(
  context: CanvasRenderingContext2D,
  value: string,
  x: number,
  y: number,
  { size, colour, most }: { size: number; colour: string; most: number },
): void {
  const font = (part: number) => `600 ${size * part}px ${FAMILY}`;
  context.font = font(1);
  context.fillStyle = colour;
  context.textAlign = 'right';
  const [head = '', zeros, tail = ''] = value.split(COUNTED_ZEROS);
  if (zeros === undefined) {
    context.fillText(fitted(context, value, most), x, y);
    return;
  }
  const count = zeros.replaceAll(/./g, (figure) => String(figure.charCodeAt(0) - 0x2080));
  context.fillText(tail, x, y);
  const endOfCount = x - context.measureText(tail).width;
  context.font = font(0.65);
  context.fillText(count, endOfCount, y + size * 0.16);
  const endOfHead = endOfCount - context.measureText(count).width;
  context.font = font(1);
  context.fillText(head, endOfHead, y);
}

/** The sight of the logo. */
function drawSight(context: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 4;
  context.lineCap = 'round';
  context.beginPath();
  context.arc(x, y, 16, 0, 2 * Math.PI);
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    context.moveTo(x + dx * 12, y + dy * 12);
    context.lineTo(x + dx * 22, y + dy * 22);
  }
  context.stroke();
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  context.fill();
}

/** Names come from strangers and may be long. */
function fitted(context: CanvasRenderingContext2D, text: string, most: number): string {
  if (context.measureText(text).width <= most) return text;
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  while (letters.length > 1 && context.measureText(`${letters.join('')}…`).width > most) letters.pop();
  return `${letters.join('')}…`;
}
