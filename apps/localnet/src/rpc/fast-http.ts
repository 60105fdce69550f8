// The short way for what nearly every request looks like: POST, JSON, a content length, HTTP/1.1. The general HTTP
// machinery costs about as much as executing a simple transaction, so such requests are read straight from the socket.
// Whatever looks different in any way is handed over, with its connection, to the general server.

import type { Socket } from 'node:net';

const HEAD_BYTES_MAX = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const IDLE_MS_MAX = 120_000;

const REQUEST_LINE = /^POST \S+ HTTP\/1\.1\r\n/;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d{1,9})\r\n/i;
const JSON_TYPE = /\r\ncontent-type: *application\/json/i;
/** Headers that change how a request is read or answered. */
const UNUSUAL = /\r\n(?:transfer-encoding|expect|upgrade|connection:(?! *keep-alive))/i;

/** Null where the general server must look at the request. */
export function bodyLength(head: string): number | null {
  if (!REQUEST_LINE.test(head) || !JSON_TYPE.test(head) || UNUSUAL.test(head)) return null;
  const length = CONTENT_LENGTH.exec(head);
  return length === null ? null : Number(length[1]);
}

export type FastHttpOptions = {
  bodyBytesMax: number;
  answer: (body: string) => Promise<string>;
  /** Takes over the connection; `unread` is what was read from it and not answered. */
  handOver: (socket: Socket, unread: Buffer) => void;
};

export function serveFast(socket: Socket, { bodyBytesMax, answer, handOver }: FastHttpOptions): void {
  let unread: Buffer = Buffer.alloc(0);
  let isAnswering = false;

  const leave = (): void => {
    socket.removeListener('data', onData);
    socket.removeListener('drain', next);
    socket.removeListener('timeout', onTimeout);
    socket.setTimeout(0);
    socket.pause();
    handOver(socket, unread);
  };

  const respond = (text: string): void => {
    isAnswering = false;
    if (socket.destroyed) return;
    if (socket.isPaused()) socket.resume();
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\naccess-control-allow-origin: *\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
    // A client that does not read is not read from either.
    if (socket.write(head + text)) next();
  };

  /** One request at a time, so that answers keep the order of the questions. */
  const next = (): void => {
    if (isAnswering || socket.destroyed || socket.writableNeedDrain || unread.length === 0) return;
    const headEnd = unread.indexOf(HEAD_END);
    if (headEnd < 0) {
      if (unread.length > HEAD_BYTES_MAX) leave();
      return;
    }
    const length = bodyLength(unread.toString('latin1', 0, headEnd + 2));
    if (length === null || length > bodyBytesMax) {
      leave();
      return;
    }
    const start = headEnd + HEAD_END.length;
    if (unread.length < start + length) return;
    const body = unread.toString('utf8', start, start + length);
    unread = unread.subarray(start + length);
    isAnswering = true;
    void answer(body).then(respond);
  };

  const onData = (chunk: Buffer): void => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    next();
    // Requests sent ahead of their answers wait in the socket, not here.
    if (isAnswering && unread.length > HEAD_BYTES_MAX + bodyBytesMax) socket.pause();
  };

  const onTimeout = (): void => {
    if (!isAnswering) socket.destroy();
  };

  socket.setNoDelay(true);
  socket.setTimeout(IDLE_MS_MAX);
  socket.on('timeout', onTimeout);
  socket.on('error', () => socket.destroy());
  socket.on('drain', next);
  socket.on('data', onData);
}
