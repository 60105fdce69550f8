// The write-ahead log is a row of frames, one for each group commit:
//
//   magic u32 | payload length u32 | frame number u64 | crc32 of number and payload u32 | payload
//
// The next frame is written only after the one before it is on disk. A frame that cannot be read is therefore a torn
// tail if nothing valid follows it, and damage to acknowledged data if something does.

import { crc32 } from 'node:zlib';

export const FRAME_HEAD_BYTES = 20;
const FRAME_PAYLOAD_MAX = 256 * 1024 * 1024;
const MAGIC = 0x474c_4e48;
const MAGIC_BYTES = Buffer.from([0x48, 0x4e, 0x4c, 0x47]);

export type Frame = { number: number; payload: Buffer; end: number };

export function encodeFrame(number: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payload.length);
  frame.writeUInt32LE(MAGIC, 0);
  frame.writeUInt32LE(payload.length, 4);
  frame.writeBigUInt64LE(BigInt(number), 8);
  frame.set(payload, FRAME_HEAD_BYTES);
  frame.writeUInt32LE(crc32(payload, crc32(frame.subarray(8, 16))), 16);
  return frame;
}

/** Null where no whole and undamaged frame begins at `at`. */
export function readFrame(log: Buffer, at: number): Frame | null {
  if (at + FRAME_HEAD_BYTES > log.length || log.readUInt32LE(at) !== MAGIC) return null;
  const length = log.readUInt32LE(at + 4);
  const end = at + FRAME_HEAD_BYTES + length;
  if (length > FRAME_PAYLOAD_MAX || end > log.length) return null;
  const payload = log.subarray(at + FRAME_HEAD_BYTES, end);
  if (crc32(payload, crc32(log.subarray(at + 8, at + 16))) !== log.readUInt32LE(at + 16)) return null;
  return { number: Number(log.readBigUInt64LE(at + 8)), payload, end };
}

/** Where the next readable frame after `at` begins, or -1. */
export function findFrame(log: Buffer, at: number): number {
  for (let next = log.indexOf(MAGIC_BYTES, at); next >= 0; next = log.indexOf(MAGIC_BYTES, next + 1)) {
    if (readFrame(log, next) !== null) return next;
  }
  return -1;
}
