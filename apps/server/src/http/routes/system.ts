import { AppError } from '@hunter/contract/app-error';
import { LAMPORTS_PER_SOL, printSol } from '@hunter/domain/numbers/lamports';
import type { FastifyInstance } from 'fastify';
import { emailKey } from '../../accounts/email-key.ts';
import { LOCAL_INVITE_CODE } from '../../accounts/invites.ts';
import { loadMailbox } from '../../platform/mailbox.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { Faucet } from '../../treasury/faucet.ts';
import type { Handlers } from '../handlers.ts';
import { mailboxPage, mailboxStyle } from '../mailbox-page.ts';

const MAILBOX_PAGE_PATH = '/api/dev/mailbox/page';
const FAUCET_MAX_LAMPORTS = 10n * LAMPORTS_PER_SOL;
const SLIPPAGE_DEFAULT_BPS = 100;
const SLIPPAGE_MAX_BPS = 5000;

export type SystemDeps = {
  database: Sql;
  local: boolean;
  chainId: '501' | '501_1';
  simulatedMarket: boolean;
  explorerUrl: string | null;
  faucet: Faucet;
};

export function systemHandlers({ database, local, chainId, simulatedMarket, explorerUrl, faucet }: SystemDeps) {
  return {
    getConfig: async () => ({
      mode: local ? ('local' as const) : ('production' as const),
      chainId,
      simulatedMarket,
      inviteCode: local ? LOCAL_INVITE_CODE : null,
      mailboxPath: local ? MAILBOX_PAGE_PATH : null,
      explorerUrl,
      defaultSlippageBps: SLIPPAGE_DEFAULT_BPS,
      maxSlippageBps: SLIPPAGE_MAX_BPS,
    }),
    faucet: async ({ amount }, { session }) => {
      if (amount > FAUCET_MAX_LAMPORTS) throw new AppError('INVALID_INPUT', { field: 'amount', reason: 'range' });
      return { txHash: await faucet.drop(session.userId, amount), amount: printSol(amount) };
    },
    mailbox: async ({ email }) => ({ lists: await loadMailbox(database, emailKey(email)) }),
  } satisfies Partial<Handlers>;
}

/** The mailbox for people. Its style is a file of its own, because the content policy allows nothing inline. */
export function serveMailboxPage(app: FastifyInstance, database: Sql): void {
  app.get(MAILBOX_PAGE_PATH, async (request, reply) => {
    const typed = (request.query as { email?: unknown }).email;
    const email = typeof typed === 'string' ? typed.trim().slice(0, 254) : '';
    const mails = email === '' ? [] : await loadMailbox(database, emailKey(email));
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(mailboxPage(email, mails));
  });
  app.get('/api/dev/mailbox/style.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(mailboxStyle),
  );
}
