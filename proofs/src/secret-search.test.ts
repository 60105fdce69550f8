import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeBase58 } from '@hunter/solana/base58';
import { needlesOf, searchBytes, searchFolder, searchMemory } from './secret-search.ts';

const secret = randomBytes(32);
const needles = needlesOf('the secret', secret);
const folder = mkdtempSync(join(tmpdir(), 'hunter-secret-search-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the search for a secret', () => {
  it('finds it in every form in which somebody could have written it down', () => {
    const written = [
      `{"seed":"${secret.toString('hex')}"}`,
      secret.toString('hex').toUpperCase(),
      `privateKey=${encodeBase58(secret)}`,
      JSON.stringify([...secret]),
      secret.toString('base64'),
      secret.toString('base64url'),
      // Wherever it stands inside of something longer.
      Buffer.concat([Buffer.from('a'), secret, Buffer.from('tail')]).toString('base64'),
      Buffer.concat([Buffer.from('ab'), secret, Buffer.from('tail')]).toString('base64url'),
    ];
    for (const text of written) expect(searchBytes(Buffer.from(text), needles), text).not.toEqual([]);
    expect(searchBytes(Buffer.concat([Buffer.from('x'), secret]), needles)).toEqual(['the secret, raw']);
  });

  it('finds nothing where there is nothing, not even in its hash', () => {
    const hay = Buffer.concat([randomBytes(1_000_000), createHash('sha256').update(secret).digest()]);
    expect(searchBytes(hay, needles)).toEqual([]);
  });

  it('looks into every file of a folder, also across the border of what is read at once', async () => {
    mkdirSync(join(folder, 'deep', 'down'), { recursive: true });
    writeFileSync(join(folder, 'plain'), 'nothing');
    writeFileSync(join(folder, 'deep', 'down', 'file'), Buffer.concat([Buffer.alloc(16 * 1024 * 1024 - 9), secret]));
    const { files, found } = await searchFolder(folder, needles);
    expect({ files, found }).toEqual({ files: 2, found: ['deep/down/file: the secret, raw'] });
  });

  it.runIf(process.platform === 'linux')('finds in a process what the process holds', () => {
    const looked = searchMemory(process.pid, needles);
    // Where the system does not show memory there is nothing to look into.
    if (looked !== null) expect(looked.found).toContain('the secret, raw');
  });
});
