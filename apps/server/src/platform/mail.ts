import { enqueue, MessageRefused } from './outbox.ts';
import type { Sql } from './postgres.ts';
import type { ServerSecret } from './server-secret.ts';

/** One mail. `code` repeats a code of the text for the local mailbox, so that nobody has to search the text. */
export type Mail = { to: string; subject: string; text: string; html: string; code: string | null };

export const MAIL_TOPIC = 'mail';
export type MailPayload = { sealed: string };

/** Sealed, because the row outlives the sending and a mail may carry a code. */
export function enqueueMail(sql: Sql, secret: ServerSecret, mail: Mail): Promise<void> {
  return enqueue(sql, MAIL_TOPIC, { sealed: secret.seal(JSON.stringify(mail)) } satisfies MailPayload);
}

export type DeliverMail = (mail: Mail, id: bigint) => Promise<void>;

/** The outbox handler of the topic. */
export function mailHandler(secret: ServerSecret, deliver: DeliverMail[]) {
  return async (payload: MailPayload, id: bigint): Promise<void> => {
    const mail = JSON.parse(secret.open(payload.sealed)) as Mail;
    for (const one of deliver) await one(mail, id);
  };
}

const PATIENCE_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

export async function deliverOverSmtp(url: string, from: string): Promise<{ deliver: DeliverMail; close: () => void }> {
  // Local mode starts without loading it.
  const { createTransport } = await import('nodemailer');
  // The outbox tries again; a server that is silent must not hold a mail for minutes, because a code dies after five.
  const transport = createTransport({ url, ...PATIENCE_MS }, { from });
  return {
    deliver: async ({ to, subject, text, html }, id) => {
      // The same row sent twice after a crash carries the same id, by which mail programs fold the copies.
      const host = new URL(url).hostname;
      const message = { to: { name: '', address: to }, subject, text, html, messageId: `<hunter-${id}@${host}>` };
      await transport.sendMail(message).catch((error: SmtpError) => {
        throw refusalOf(error) ?? error;
      });
    },
    close: () => transport.close(),
  };
}

type SmtpError = Error & { readonly command?: string; readonly responseCode?: number; readonly response?: string };

/**
 * A receiver that the mail server refuses for good. 5.7 is about who sends, such as "relay access denied": that is the operator's to
 * mend, and the mail waits. Without the server's words, which repeat the address.
 */
function refusalOf({ command, responseCode = 0, response = '' }: SmtpError): MessageRefused | null {
  if (command !== 'RCPT TO' || responseCode < 500 || /^\d{3}[ -]5\.7\./.test(response)) return null;
  const status = /^\d{3}[ -](5\.\d+\.\d+)\b/.exec(response)?.[1];
  return new MessageRefused(`the mail server refuses the receiver: ${[responseCode, status ?? []].flat().join(' ')}`);
}
