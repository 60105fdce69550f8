import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfiguration } from './configuration.ts';
import { chooseUsers } from './own-users.ts';
import { productParts } from './product.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-users-'));
  chmodSync(folder, 0o755);
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const dataDirectory = (): string => join(folder, 'data');

function commands(web = 3000) {
  const parts = productParts({
    configuration: parseConfiguration({ DATA_DIR: dataDirectory() }, folder),
    ports: { web, rpc: 8899, venue: 9000 },
    inherited: {},
    childrenFile: join(folder, 'children.json'),
    report: (line) => said.push(line),
  });
  const facts = new Map([['postgres', { url: 'postgresql://127.0.0.1/hunter' }]]);
  return new Map(parts.map(({ name, command }) => [name, command(facts)]));
}

/** What a process of that user gets when it tries to read. */
function readAs(user: { uid: number; gid: number }, file: string): string {
  const code =
    "try { console.log(require('node:fs').readFileSync(process.argv[1], 'utf8')) } catch (error) { console.log(error.code) }";
  const args = ['--input-type=commonjs', '-e', code, file];
  return spawnSync(process.execPath, args, { ...user, cwd: '/', encoding: 'utf8' }).stdout.trim();
}

// Only root can become somebody else.
if (isRoot)
  describe('started by root', () => {
    it('the server’s user reads nothing of the signer’s, also what an earlier version left to root', () => {
      const files = ['signer/keys.json', 'signer/signer.log', 'logs/signer.log', 'localnet/chain', 'server.secret'];
      for (const name of ['signer', 'logs', 'localnet']) mkdirSync(join(dataDirectory(), name), { recursive: true });
      for (const file of files) writeFileSync(join(dataDirectory(), file), 'content', { mode: 0o600 });
      const server = commands().get('server')!.user!;
      const read = (file: string): string => readAs(server, join(dataDirectory(), file));
      expect(files.map(read)).toEqual(['EACCES', 'EACCES', 'EACCES', 'EACCES', 'content']);
      expect(read('operator.json')).toBe('EACCES');
      expect(statSync(join(dataDirectory(), 'signer')).mode & 0o777).toBe(0o700);
      expect(said.filter((line) => line.includes('same user'))).toEqual([]);
    });

    it('root touches nothing in a folder that is its part’s already, where a link may lead elsewhere', () => {
      const { uid } = commands().get('localnet')!.user!;
      const localnet = join(dataDirectory(), 'localnet');
      const [key, elsewhere] = [join(localnet, 'venue-key.pem'), join(folder, 'elsewhere')];
      expect(statSync(key).uid).toBe(uid);
      writeFileSync(join(localnet, 'of-root'), '');
      rmSync(key);
      symlinkSync(elsewhere, key);
      commands();
      expect(statSync(join(localnet, 'of-root')).uid).toBe(0);
      expect(existsSync(elsewhere)).toBe(false);
      expect([lstatSync(key).isFile(), lstatSync(key).uid]).toEqual([true, uid]);
    });

    it('every part has a user of its own, none of them root', () => {
      const seen = commands();
      const uids = (['localnet', 'server'] as const).map((name) => seen.get(name)?.user?.uid);
      const through = seen.get('signer')?.through ?? [];
      const signer = seen.get('signer')?.user?.uid ?? Number(through[through.indexOf('--setuid') + 1]);
      expect(new Set([...uids, signer, 0]).size).toBe(4);
    });

    it('refuses a port at which only root may listen, which the server is not', () => {
      const isOpen = readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').trim() === '0';
      if (isOpen) expect(() => commands(1)).not.toThrow();
      else expect(() => commands(1)).toThrow(/^PORT 1 is for root alone.* set PORT to one above \d+/);
    });

    it('says what is not separated where other users cannot enter', () => {
      const closed = join(folder, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      expect(chooseUsers(process.cwd(), join(closed, 'data'), (line) => said.push(line))).toBeNull();
      expect(chooseUsers(closed, dataDirectory(), (line) => said.push(line))).toBeNull();
      expect(said).toEqual([
        expect.stringContaining(`cannot enter ${join(closed, 'data')}`),
        expect.stringContaining(`cannot read ${closed}`),
      ]);
    });
  });

it('says without root that signer and server share a user', () => {
  expect(chooseUsers(process.cwd(), dataDirectory(), (line) => said.push(line), false)).toBeNull();
  expect(said).toEqual([expect.stringContaining('same user as the server')]);
});
