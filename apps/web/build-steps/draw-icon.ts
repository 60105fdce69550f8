// Draws the app's icons: the sight of the logo (`src/ui/icons.tsx`), as PNG, from the distance of each pixel to the shapes.
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];
export type IconLook = {
  readonly size: number;
  /** Of the picture's width, on each side of the sight. */
  readonly margin: number;
  /** `square` fills everything, for systems that cut the shape themselves; `none` is a white sight for status bars. */
  readonly ground: 'rounded' | 'square' | 'none';
};

const GROUND: Colour = [0x10, 0x13, 0x1a];
const SIGHT: Colour = [0x8b, 0x7d, 0xff];
const WHITE: Colour = [255, 255, 255];
/** The logo is drawn on a field of 24 by 24. */
const FIELD = 24;
/** Of the ground's width. */
const CORNER = 0.22;

/** Negative inside. In units of the field, from its middle. */
function distanceToSight(x: number, y: number): number {
  const radius = Math.hypot(x, y);
  const ring = Math.abs(radius - 8.2) - 1;
  const dot = radius - 2.6;
  const [along, across] = [Math.max(Math.abs(x), Math.abs(y)), Math.min(Math.abs(x), Math.abs(y))];
  const beyond = Math.max(0, 6 - along, along - 11);
  const arm = Math.hypot(beyond, across) - 1;
  return Math.min(ring, dot, arm);
}

/** Of a square with round corners around the middle. */
function distanceToGround(x: number, y: number, half: number): number {
  const corner = CORNER * 2 * half;
  const [dx, dy] = [Math.abs(x) - half + corner, Math.abs(y) - half + corner];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
}

/** How much of a pixel is inside, by its distance to the edge in pixels. */
const coverage = (distance: number): number => Math.min(1, Math.max(0, 0.5 - distance));

export function drawIcon({ size, margin, ground }: IconLook): Buffer {
  const scale = (size * (1 - 2 * margin)) / FIELD;
  const rows = Buffer.alloc(size * (1 + size * 4));
  let at = 0;
  for (let row = 0; row < size; row += 1) {
    // Each row of a PNG begins with how it is filtered: not at all.
    rows[at] = 0;
    at += 1;
    for (let column = 0; column < size; column += 1) {
      const [x, y] = [column + 0.5 - size / 2, row + 0.5 - size / 2];
      const sight = coverage(distanceToSight(x / scale, y / scale) * scale);
      const below = ground === 'square' ? 1 : ground === 'none' ? 0 : coverage(distanceToGround(x, y, size / 2));
      const colour = ground === 'none' ? WHITE : SIGHT;
      const alpha = sight + below * (1 - sight);
      for (let part = 0; part < 3; part += 1) {
        const mixed = alpha === 0 ? 0 : (colour[part]! * sight + GROUND[part]! * below * (1 - sight)) / alpha;
        rows[at + part] = Math.round(mixed);
      }
      rows[at + 3] = Math.round(alpha * 255);
      at += 4;
    }
  }
  return png(size, rows);
}

function png(size: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
