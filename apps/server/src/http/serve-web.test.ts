import fastify, { type FastifyInstance } from 'fastify';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveWeb } from './serve-web.ts';

const page = '<!doctype html><title>Hunter</title>';
const verifyPage = `<!doctype html><title>Verify</title>${' '.repeat(2_000)}`;
const script = 'export const answer = 42;\n';
let app: FastifyInstance;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-web-'));
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'verify.html'), verifyPage);
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, '.vite', 'manifest.json'), '{}');
  writeFileSync(join(folder, 'assets', 'app-1.js'), script);
  writeFileSync(join(folder, 'assets', 'app-1.js.br'), brotliCompressSync(script));
  app = fastify();
  await serveWeb(app, folder);
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, encoding = 'identity') =>
  app.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } });

it('sends the compressed form that the build left, to those who can read it, and keeps it for ever', async () => {
  const compressed = await get('/assets/app-1.js', 'br');
  expect([compressed.statusCode, compressed.headers['content-encoding']]).toEqual([200, 'br']);
  expect(compressed.headers['content-type']).toMatch(/javascript/);
  expect(compressed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(script);
  const plain = await get('/assets/app-1.js');
  expect([plain.statusCode, plain.headers['content-encoding'], plain.body]).toEqual([200, undefined, script]);
});

it('sends a file beside the assets, whose name stays the same, to be asked for each time', async () => {
  const icon = await get('/favicon.svg?1');
  expect([icon.statusCode, icon.headers['cache-control'], icon.body]).toEqual([200, 'no-cache', '<svg/>']);
  expect((await app.inject({ method: 'HEAD', url: '/favicon.svg' })).headers['content-length']).toBe('6');
});

it('answers every path of the web app with the page, and a missing asset or call with an error', async () => {
  for (const path of ['/', '/token/abc?tab=holders', '/.vite/manifest.json', '/../package.json']) {
    const found = await get(path);
    expect([found.statusCode, found.headers['cache-control'], found.body]).toEqual([200, 'no-cache', page]);
  }
  for (const path of ['/assets/app-0.js', '/assets/app-1.js.br', '/api/nothing']) {
    expect((await get(path)).statusCode, path).toBe(404);
  }
});

it('compresses the page that verifies once, for whoever reads it so', async () => {
  const [first, second] = [await get('/verify', 'br, gzip'), await get('/verify', 'gzip')];
  expect([first.headers['content-encoding'], second.headers['content-encoding']]).toEqual(['gzip', 'gzip']);
  const plain = await get('/verify', 'br');
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, verifyPage]);
  expect(gunzipSync(first.rawPayload).toString()).toBe(verifyPage);
  expect(first.headers['content-security-policy']).toContain('sandbox');
});
