import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeMail } from '../accounts/account-mails.ts';
import { deliverOverSmtp, mailHandler, type Mail } from './mail.ts';
import { MessageRefused } from './outbox.ts';
import { ServerSecret } from './server-secret.ts';

type Received = { from: string; to: string[]; text: string };

describe('mail over SMTP', () => {
  const received: Received[] = [];
  let refusal: { responseCode: number; text: string } | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.responseCode })),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
        const to = session.envelope.rcptTo.map((one) => one.address);
        received.push({ from, to, text: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const secret = new ServerSecret(Buffer.alloc(32, 5));
  const mail: Mail = { ...codeMail('zh', 'register', '042137'), to: 'someone@example.com' };
  const payload = () => ({ sealed: secret.seal(JSON.stringify(mail)) });

  it('arrives in its language, as text and as HTML, under the id of its outbox row', async () => {
    const smtp = await deliverOverSmtp(url, 'Hunter <no-reply@example.com>');
    await mailHandler(secret, [smtp.deliver])(payload(), 77n);
    smtp.close();
    const [one] = received;
    expect(one).toMatchObject({ from: 'no-reply@example.com', to: ['someone@example.com'] });
    expect(one!.text).toContain('Message-ID: <hunter-77@127.0.0.1>');
    expect(one!.text).toContain('multipart/alternative');
    expect(one!.text).toContain('042137');
    const decoded = one!.text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'));
    const everything = `${decoded}${[...one!.text.matchAll(/\r\n\r\n([A-Za-z0-9+/=\r\n]{40,})\r\n/g)]
      .map((match) => Buffer.from(match[1]!, 'base64').toString('utf8'))
      .join('')}`;
    expect(everything).toContain('5 分钟内有效');
  });

  it.each([
    [{ responseCode: 452, text: '4.2.2 mailbox full' }, null],
    [{ responseCode: 554, text: '5.7.1 <someone@example.com>: Relay access denied' }, null],
    [{ responseCode: 550, text: '5.1.1 <someone@example.com>: no such user' }, '550 5.1.1'],
    [{ responseCode: 550, text: 'no such user someone@example.com' }, '550'],
  ])('an answer of %j ends a mail where it refuses the receiver for good, and only there', async (answer, said) => {
    refusal = answer;
    const smtp = await deliverOverSmtp(url, 'Hunter <no-reply@example.com>');
    const failure: unknown = await mailHandler(secret, [smtp.deliver])(payload(), 78n).catch((error: unknown) => error);
    smtp.close();
    refusal = null;
    expect(failure).toBeInstanceOf(Error);
    expect(failure instanceof MessageRefused).toBe(said !== null);
    if (said !== null) expect((failure as Error).message).toBe(`the mail server refuses the receiver: ${said}`);
  });

  it('sends to one address only, whatever the address looks like', async () => {
    const smtp = await deliverOverSmtp(url, 'Hunter <no-reply@example.com>');
    const hostile = { ...mail, to: 'a@example.com,b@example.com' };
    await mailHandler(secret, [smtp.deliver])({ sealed: secret.seal(JSON.stringify(hostile)) }, 79n).catch(() => {});
    smtp.close();
    expect(received.at(-1)!.to.length).toBe(1);
  });
});
