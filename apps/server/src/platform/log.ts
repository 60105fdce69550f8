import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Names whose values never reach a log, wherever they appear in a logged object up to three levels deep. */
const SECRET_NAMES = [
  'password',
  'oldPassword',
  'confirmPassword',
  'token',
  'verificationCode',
  'code',
  'privateKey',
  'secret',
  'recoveryCodes',
  'factor',
  'secretKey',
  'seed',
  'envelope',
  'sealedKey',
  'authorization',
  'cookie',
  'signedTransaction',
];

export function createLog(level: string, destination?: NodeJS.WritableStream): Log {
  const paths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const options = { level, redact: { paths, censor: '[redacted]' }, base: undefined };
  return destination ? pino(options, destination) : pino(options, pino.destination({ fd: 2, sync: false }));
}
