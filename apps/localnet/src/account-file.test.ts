import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAccountFile } from './account-file.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';
const OWNER = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-account-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, 'account.json');
  writeFileSync(path, text);
  return path;
}

function accountText(fields: string): string {
  return `{"pubkey":"${ADDRESS}","account":{${fields}}}`;
}

describe('account files', () => {
  it('read lamports to the last digit', () => {
    const path = file(
      accountText(`"lamports":18446744073709551615,"data":["AQI=","base64"],"owner":"${OWNER}","executable":false`),
    );
    expect(readAccountFile('-', path)).toEqual({
      address: ADDRESS,
      account: { lamports: 18446744073709551615n, data: Uint8Array.of(1, 2), owner: OWNER, executable: false },
    });
  });

  it.each([
    ['no JSON', '{', 'JSON'],
    ['no account', '{}', 'expected an object'],
    [
      'fractions of lamports',
      accountText(`"lamports":1.5,"data":["","base64"],"owner":"${OWNER}","executable":false`),
      'lamports',
    ],
    [
      'an unknown encoding',
      accountText(`"lamports":1,"data":["","hex"],"owner":"${OWNER}","executable":false`),
      'data',
    ],
    [
      'an owner that is none',
      accountText('"lamports":1,"data":["","base64"],"owner":"me","executable":false'),
      'owner',
    ],
    ['a program', accountText(`"lamports":1,"data":["","base64"],"owner":"${OWNER}","executable":true`), 'programs'],
  ])('with %s are refused with a reason', (_what, text, reason) => {
    expect(() => readAccountFile('-', file(text))).toThrow(reason);
  });

  it('that are missing are refused by name', () => {
    expect(() => readAccountFile(ADDRESS, join(folder, 'none.json'))).toThrow('none.json');
  });
});
