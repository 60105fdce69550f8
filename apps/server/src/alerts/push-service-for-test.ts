// A push service on this machine together with the browser behind it: it takes a message as a real one would, checks who sent
// it (RFC 8292) and decrypts it with the browser's keys (RFC 8291, RFC 8188), sharing no code with the sender.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedPush = {
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  message: unknown;
  /** Of the token that the sender signed. */
  claims: { aud: string; sub: string };
  /** By which the signature was checked. */
  senderKey: string;
  /** As it travelled. */
  raw: Buffer;
};

export type TestPushService = {
  origin: string;
  received: ReceivedPush[];
  /** What the next requests are answered with; 201 where the list is empty. */
  answers: number[];
  subscription: (path: string) => { endpoint: string; p256dh: string; auth: string };
  close: () => void;
};

export async function startPushService(): Promise<TestPushService> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const received: ReceivedPush[] = [];
  const answers: number[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const [, token, senderKey] = /^vapid t=([^,]+), k=(.+)$/.exec(request.headers.authorization ?? '') ?? [];
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        message: JSON.parse(decrypt(raw)),
        claims: checkedClaims(token!, senderKey!),
        senderKey: senderKey!,
        raw,
      });
      reply.writeHead(answers.shift() ?? 201).end('told by the push service');
    });
  });

  function decrypt(body: Buffer): string {
    const [salt, keyLength] = [body.subarray(0, 16), body[20]!];
    const senderPoint = body.subarray(21, 21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderPoint]);
    const secret = hkdfSync('sha256', browser.computeSecret(senderPoint), auth, info, 32);
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', new Uint8Array(secret), salt, `Content-Encoding: ${name}\0`, length));
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    const sealed = body.subarray(21 + keyLength);
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    answers,
    subscription: (path) => ({
      endpoint: `${origin}${path}`,
      p256dh: browser.getPublicKey('base64url'),
      auth: auth.toString('base64url'),
    }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function checkedClaims(token: string, senderKey: string): { aud: string; sub: string } {
  const point = Buffer.from(senderKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } });
  const [header, claims, signature] = token.split('.');
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature!, 'base64url'));
  if (!isSigned) throw new Error('the sender has not signed its token');
  return JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { aud: string; sub: string };
}
