import { createReadStream, lstatSync, openSync, closeSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBase58 } from '@hunter/solana/base58';

export type Needle = { name: string; bytes: Buffer };

/** Characters of a text form that must match: enough that chance plays no part, short enough to survive a line break. */
const TEXT_PART = 40;

/**
 * A secret as anything might have written it down: raw, in hexadecimal of either case, in base58, in base64 of every alignment and
 * either alphabet, and as a list of numbers.
 */
export function needlesOf(name: string, secret: Uint8Array, more: Readonly<Record<string, string>> = {}): Needle[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const texts: Record<string, string> = {
    hex,
    'upper-case hex': hex.toUpperCase(),
    base58: encodeBase58(bytes),
    numbers: [...bytes.subarray(0, 16)].join(','),
    'spaced numbers': [...bytes.subarray(0, 16)].join(', '),
    'lines of numbers': [...bytes.subarray(0, 16)].join(',\n    '),
    ...more,
  };
  for (let shift = 0; shift < 3; shift += 1) {
    // Only whole groups of three bytes look the same wherever the secret stands.
    const whole = bytes.subarray((3 - shift) % 3, bytes.length - ((bytes.length - ((3 - shift) % 3)) % 3));
    texts[`base64 shifted by ${shift}`] = whole.toString('base64');
    texts[`base64url shifted by ${shift}`] = whole.toString('base64url');
  }
  return [
    { name: `${name}, raw`, bytes },
    ...Object.entries(texts).map(([form, text]) => ({
      name: `${name}, ${form}`,
      bytes: Buffer.from(text.slice(0, TEXT_PART), 'latin1'),
    })),
  ];
}

/** Needles by their first three bytes, so that hay is read once however many there are. */
type Table = { isFirst: Uint8Array; byFirst: Map<number, Needle[]> };
const tables = new WeakMap<readonly Needle[], Table>();

function tableOf(needles: readonly Needle[]): Table {
  let table = tables.get(needles);
  if (!table) {
    const first = ({ bytes }: Needle): number => bytes.readUIntBE(0, 3);
    table = { isFirst: new Uint8Array(2 ** 24), byFirst: Map.groupBy(needles, first) };
    for (const key of table.byFirst.keys()) table.isFirst[key] = 1;
    tables.set(needles, table);
  }
  return table;
}

/** Names of the needles that occur; each has at least three bytes. */
export function searchBytes(hay: Buffer, needles: readonly Needle[]): string[] {
  const { isFirst, byFirst } = tableOf(needles);
  const found = new Set<string>();
  let lastThree = 0;
  for (let end = 0; end < hay.length; end += 1) {
    lastThree = ((lastThree << 8) | hay[end]!) & 0xff_ff_ff;
    if (end < 2 || isFirst[lastThree] === 0) continue;
    for (const { name, bytes } of byFirst.get(lastThree)!) {
      const start = end - 2;
      if (hay.subarray(start, start + bytes.length).equals(bytes)) found.add(name);
    }
  }
  return needles.filter(({ name }) => found.has(name)).map(({ name }) => name);
}

const CHUNK_BYTES = 16 * 1024 * 1024;
/** No needle is longer than this, so what crosses the border of two chunks is seen in the second. */
const OVERLAP_BYTES = 256;

export async function searchFile(
  file: string,
  needles: readonly Needle[],
): Promise<{ bytes: number; found: string[] }> {
  const found = new Set<string>();
  let bytes = 0;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    const hay = Buffer.concat([tail, chunk]);
    for (const name of searchBytes(hay, needles)) found.add(name);
    tail = hay.subarray(-OVERLAP_BYTES);
  }
  return { bytes, found: [...found] };
}

/** Every file below a folder; what is no plain file, or disappears meanwhile, holds nothing. */
export async function searchFolder(
  folder: string,
  needles: readonly Needle[],
): Promise<{ files: number; bytes: number; found: string[] }> {
  const total = { files: 0, bytes: 0, found: [] as string[] };
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, entry);
    try {
      if (!lstatSync(file).isFile()) continue;
      const { bytes, found } = await searchFile(file, needles);
      total.files += 1;
      total.bytes += bytes;
      total.found.push(...found.map((name) => `${entry}: ${name}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return total;
}

const MEMORY_CHUNK_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(MEMORY_CHUNK_BYTES);

/** The writable memory of a process. Null where the system does not show it. */
export function searchMemory(pid: number, needles: readonly Needle[]): { bytes: number; found: string[] } | null {
  let memory: number;
  let maps: string;
  try {
    maps = readFileSync(`/proc/${pid}/maps`, 'utf8');
    memory = openSync(`/proc/${pid}/mem`, 'r');
  } catch {
    return null;
  }
  const found = new Set<string>();
  let bytes = 0;
  const buffer = Buffer.alloc(MEMORY_CHUNK_BYTES);
  try {
    for (const line of maps.split('\n')) {
      const [, from, to, mode] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? [];
      if (from === undefined || to === undefined || !mode?.startsWith('rw')) continue;
      const end = BigInt(`0x${to}`);
      for (let at = BigInt(`0x${from}`); at < end; at += BigInt(MEMORY_CHUNK_BYTES - OVERLAP_BYTES)) {
        const length = Number(end - at < BigInt(MEMORY_CHUNK_BYTES) ? end - at : BigInt(MEMORY_CHUNK_BYTES));
        const read = readSomeMemory(memory, buffer, length, at);
        bytes += read;
        const part = buffer.subarray(0, read);
        // Most of what is mapped was never touched.
        if (part.equals(NOTHING.subarray(0, read))) continue;
        for (const name of searchBytes(part, needles)) found.add(name);
      }
    }
  } finally {
    closeSync(memory);
  }
  return { bytes, found: [...found] };
}

function readSomeMemory(memory: number, buffer: Buffer, length: number, at: bigint): number {
  try {
    return readSync(memory, buffer, 0, length, at);
  } catch {
    // A part that is mapped but not there.
    return 0;
  }
}
