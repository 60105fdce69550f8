import type { Mail } from './mail.ts';
import type { Sql } from './postgres.ts';

const SHOWN_MAX = 50;

export type MailboxRow = { subject: string; text: string; code: string | null; sentAt: number };

/** Where mails of local mode go instead of leaving the machine. */
export async function putIntoMailbox(sql: Sql, key: string, mail: Mail): Promise<void> {
  await sql.write(`insert into local_mail (email_key, subject, text, code) values ($1, $2, $3, $4)`, [
    key,
    mail.subject,
    mail.text,
    mail.code,
  ]);
}

export async function loadMailbox(sql: Sql, key: string): Promise<MailboxRow[]> {
  const rows = await sql.query<{ subject: string; text: string; code: string | null; sent_at: Date }>(
    `select subject, text, code, sent_at from local_mail where email_key = $1 order by id desc limit $2`,
    [key, SHOWN_MAX],
  );
  return rows.map(({ subject, text, code, sent_at }) => ({ subject, text, code, sentAt: sent_at.getTime() }));
}
