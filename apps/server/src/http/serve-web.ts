import fastifyCompress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
    wildcard: false,
    // The build leaves each file compressed beside itself; what it left out is compressed on the way.
    preCompressed: true,
    // A route each is made at the start; nobody asks for these by name.
    globIgnore: ['**/*.{br,gz}'],
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  const verifyHtml = await readFile(join(directory, 'verify.html'), 'utf8');
  const verifyHeaders = { ...verifyPageHeaders(verifyHtml), 'cache-control': 'no-cache' };
  app.get('/verify', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').headers(verifyHeaders).send(verifyHtml),
  );
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    // A missing script must be an error, not the page: a browser would run the HTML as a module and hide the cause.
    if (path.startsWith('/api/') || path.startsWith('/assets/')) return reply.callNotFound();
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html);
  });
}
