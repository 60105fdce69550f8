// The part of Telegram's bot API that the bot uses.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TestTelegram = {
  url: string;
  sent: { chat_id: number; text: string }[];
  /** Refuses the next messages with this code, or none. */
  refusal: { code: number; description: string } | null;
  /** Ends connections with messages instead of answering. */
  isSilent: boolean;
  /** What a person writes to the bot. */
  write: (text: string, chat?: { id: number; type: string; username?: string; first_name?: string }) => void;
  close: () => void;
};

export async function startTelegram(token: string): Promise<TestTelegram> {
  let updates: { update_id: number; message: unknown }[] = [];
  let nextId = 100;
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const method = request.url?.startsWith(`/bot${token}/`) ? request.url.slice(token.length + 5) : null;
      const params = JSON.parse(Buffer.concat(chunks).toString()) as { offset?: number };
      const answer = (body: object) => reply.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      const refused = method === 'sendMessage' ? telegram.refusal : null;
      if (method === 'sendMessage' && telegram.isSilent) return request.socket.destroy();
      if (method === null) return answer({ ok: false, error_code: 404, description: 'Not Found' });
      if (refused) return answer({ ok: false, error_code: refused.code, description: refused.description });
      if (method === 'getMe') return answer({ ok: true, result: { id: 1, is_bot: true, username: 'hunter_bot' } });
      if (method === 'sendMessage') telegram.sent.push(params as { chat_id: number; text: string });
      // As Telegram does: what is before the offset is forgotten.
      if (method === 'getUpdates') updates = updates.filter(({ update_id: id }) => id >= (params.offset ?? 0));
      return answer({ ok: true, result: method === 'getUpdates' ? updates : {} });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const telegram: TestTelegram = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: [],
    refusal: null,
    isSilent: false,
    write: (text, chat = { id: 77, type: 'private', username: 'ann_t' }) => {
      updates.push({ update_id: nextId, message: { text, chat, from: { id: chat.id } } });
      nextId += 1;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return telegram;
}
