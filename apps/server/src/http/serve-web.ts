import fastifyCompress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { verifyPageHeaders } from './verify-page.ts';

const YEAR_SECONDS = 31_536_000;

/** Serves the built web app: hashed assets for ever, everything that is no file and no API path as the page itself. */
export async function serveWeb(app: FastifyInstance, directory: string): Promise<void> {
  const index = join(directory, 'index.html');
  if (!existsSync(index)) throw new Error(`the web app is not built: ${index} is missing`);
  const html = await readFile(index, 'utf8');
  await app.register(fastifyCompress, { encodings: ['br', 'gzip'], threshold: 1024 });
  await app.register(fastifyStatic, {
    root: directory,
    index: false,
    // A route for each of some hundred files would be a tenth of the start.
    serve: false,
    // The build leaves each file compressed beside itself; what it left out is compressed on the way.
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  const verifyHtml = await readFile(join(directory, 'verify.html'), 'utf8');
  const verifyHeaders = { ...verifyPageHeaders(verifyHtml), 'cache-control': 'no-cache' };
  // Once, and not for each request: no limit counts those, and this document is large.
  let compressed: Promise<Buffer> | undefined;
  app.get('/verify', { compress: false }, async (request, reply) => {
    reply.type('text/html; charset=utf-8').headers(verifyHeaders).header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(verifyHtml);
    compressed ??= promisify(gzip)(verifyHtml);
    return reply.header('content-encoding', 'gzip').send(await compressed);
  });
  const files = await filesBelow(directory);
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = `/${request.params['*']}`;
    if (files.has(path)) return reply.sendFile(path);
    // A missing script must be an error, not the page: a browser would run the HTML as a module and hide the cause.
    if (path.startsWith('/api/') || path.startsWith('/assets/')) return reply.callNotFound();
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html);
  });
}

/** What may be asked for by name: neither the compressed forms nor what the build keeps for itself. */
async function filesBelow(directory: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `/${relative(directory, join(parentPath, name)).replaceAll('\\', '/')}`);
  return new Set(paths.filter((path) => !path.includes('/.') && !/\.(br|gz)$/.test(path)));
}
