import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RememberedAccounts } from './remembered-accounts.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-people-'));
  file = join(folder, 'people.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps an account from before its registration on, in a file for its owner only', () => {
  const accounts = new RememberedAccounts(file);
  const { password } = accounts.get('creator-1@simulated.invalid');
  const again = new RememberedAccounts(file).get('creator-1@simulated.invalid');
  expect(again).toEqual({ email: 'creator-1@simulated.invalid', password, isRegistered: false });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('remembers who has registered', () => {
  const accounts = new RememberedAccounts(file);
  accounts.registered(accounts.get('creator-1@simulated.invalid'));
  expect(new RememberedAccounts(file).get('creator-1@simulated.invalid').isRegistered).toBe(true);
  expect(accounts.get('follower-1@simulated.invalid').isRegistered).toBe(false);
});
