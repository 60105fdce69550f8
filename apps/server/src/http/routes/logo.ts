import { AppError } from '@hunter/contract/app-error';
import { isAddress } from '@hunter/solana/address';
import type { FastifyInstance } from 'fastify';
import type { Logos } from '../../market/logos/logos.ts';

/** Pictures are hostile input even after the checks: this policy stops anything in them from running when opened alone. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function registerLogoRoute(app: FastifyInstance, logos: Logos): void {
  app.get<{ Params: { mint: string } }>('/api/token/logo/:mint', async (request, reply) => {
    const { mint } = request.params;
    const logo = isAddress(mint) ? await logos.get(mint) : null;
    if (!logo) throw new AppError('NOT_FOUND');
    return reply
      .header('content-security-policy', PICTURE_POLICY)
      .header('cache-control', 'public, max-age=86400')
      .type(logo.type)
      .send(Buffer.from(logo.bytes));
  });
}
