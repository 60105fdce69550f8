import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { MARK, open, seal } from './sealed-stream.ts';

const { publicKey, privateKey } = generateKeyPairSync('x25519');
const PIECE = 64 * 1024;
const SEALED_PIECE = PIECE + 16;
const HEAD = MARK.length + 32;

async function sealed(text: Buffer): Promise<Buffer> {
  return buffer(Readable.from(inChunks(text, 10_007)).pipe(seal(publicKey)));
}

async function opened(bytes: Buffer, key = privateKey): Promise<Buffer> {
  let out: Buffer = Buffer.alloc(0);
  await pipeline(Readable.from(inChunks(bytes, 9_973)), open(key), async (pieces) => {
    out = await buffer(pieces);
  });
  return out;
}

function* inChunks(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it('brings back what was sealed, whatever its size', async () => {
  for (const size of [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 7]) {
    const text = randomBytes(size);
    const bytes = await sealed(text);
    expect((await opened(bytes)).equals(text)).toBe(true);
    if (size > 32) expect(bytes.includes(text.subarray(0, 32))).toBe(false);
  }
});

it('opens with no other key', async () => {
  const other = generateKeyPairSync('x25519').privateKey;
  await expect(opened(await sealed(Buffer.from('keys')), other)).rejects.toThrow('not the one it was sealed to');
});

it('opens nothing that was changed, cut, extended or put in another order', async () => {
  const bytes = await sealed(randomBytes(3 * PIECE + 100));
  const changed = Buffer.from(bytes);
  changed[HEAD + SEALED_PIECE + 5]! ^= 1;
  const pieces = [0, 1, 2].map((at) => bytes.subarray(HEAD + at * SEALED_PIECE, HEAD + (at + 1) * SEALED_PIECE));
  const head = bytes.subarray(0, HEAD);
  const last = bytes.subarray(HEAD + 3 * SEALED_PIECE);
  const forgeries = {
    changed,
    'cut after a piece': Buffer.concat([head, pieces[0]!, pieces[1]!]),
    'cut inside a piece': bytes.subarray(0, bytes.length - 20),
    'cut inside the head': bytes.subarray(0, 20),
    extended: Buffer.concat([bytes, Buffer.alloc(40)]),
    swapped: Buffer.concat([head, pieces[1]!, pieces[0]!, pieces[2]!, last]),
    'without its last piece': Buffer.concat([head, ...pieces]),
    'of another kind': Buffer.concat([randomBytes(HEAD), bytes.subarray(HEAD)]),
  };
  for (const [name, forged] of Object.entries(forgeries)) {
    await expect(opened(forged), name).rejects.toMatchObject({ name: 'SealError' });
  }
});
