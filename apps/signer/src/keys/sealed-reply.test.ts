import { expect, it } from 'vitest';
import { fromBase58 } from '../base58.ts';
import { aBrowserKey } from '../fixtures/a-browser-key.ts';
import { aSigner } from '../fixtures/a-signer.ts';
import { type SealedReply, sealReply } from './sealed-reply.ts';

const PASSWORD = 'correct horse battery';
const owner = { userId: 'user-1', walletId: 'wallet-1' };

it('shows a key to the browser that asked and to nobody who carries it', async () => {
  const test = aSigner();
  const browser = await aBrowserKey();
  const created = await test.signer.createWallet(owner, PASSWORD, browser.sealTo);
  const shown = await browser.openReply(created.privateKey as SealedReply, 'private-key', created.address);
  expect(fromBase58(shown, 64)!.subarray(32)).toEqual(fromBase58(created.address, 32));
  expect(JSON.stringify(created)).not.toContain(shown);
  const proof = { exportId: null, factor: null, sealTo: browser.sealTo };
  const exported = (await test.signer.exportKey(owner, created.sealedKey, PASSWORD, proof)) as SealedReply;
  expect(await browser.openReply(exported, 'private-key', created.address)).toBe(shown);
  expect(await test.signer.exportKey(owner, created.sealedKey, PASSWORD)).toBe(shown);
  const other = await aBrowserKey();
  await expect(other.openReply(exported, 'private-key', created.address)).rejects.toThrow();
  await expect(browser.openReply(exported, 'totp-secret', created.address)).rejects.toThrow();
  await expect(browser.openReply(exported, 'private-key', 'another')).rejects.toThrow();
});

it('seals to points of the curve only', () => {
  const off = Buffer.alloc(65, 1);
  off[0] = 4;
  for (const point of [off, Buffer.alloc(65), Buffer.alloc(33, 2)]) {
    expect(() => sealReply(point.toString('base64url'), 'private-key', 'address', 'secret')).toThrow('sealTo');
  }
});
