// The bus carries what others should hear soon: live values, new trades, commands. It keeps nothing. Every message may be
// lost, and whoever needs what it said reads the database, which is the record.

import type { Log } from '../log.ts';

export type BusHandler = (message: unknown) => Promise<unknown>;

export interface Bus {
  /** To everybody who listens to the subject now. */
  publish(subject: string, message: unknown): void;
  /** A subject, or with `.>` at its end all that begin so. */
  subscribe(subject: string, listener: (message: unknown, subject: string) => void): () => void;
  /**
   * One of those who answer the subject carries it out. Throws `NoResponderError` where nobody got the message, so that it
   * may be sent again; `LostAnswerError` where somebody may have; and what the handler threw.
   */
  request(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  /** Of several that answer a subject one gets each message. */
  respond(subject: string, handler: BusHandler): () => void;
  /** Settles once everything subscribed before is in force: what is published from then on is heard. */
  flush(): Promise<void>;
  /** Whether anybody may hear this; lets publishers skip work that nobody would see. */
  isHeard(subject: string): boolean;
  /** Called after the connection was away: messages may have been lost. */
  onGap(listener: () => void): () => void;
  /** False while messages do not get through. */
  isConnected(): boolean;
  close(): Promise<void>;
}

export class NoResponderError extends Error {
  override readonly name = 'NoResponderError';

  constructor(subject: string) {
    super(`nobody answers ${subject}`);
  }
}

export class LostAnswerError extends Error {
  override readonly name = 'LostAnswerError';

  constructor(subject: string) {
    super(`the answer to ${subject} was lost; what it asked for may have happened`);
  }
}

/** A listener that throws keeps neither the other listeners from hearing nor the publisher from going on. */
export function tellGuarded(log: Log, subject: string, tell: () => void): void {
  try {
    tell();
  } catch (error) {
    log.error({ subject, err: error }, 'handling a bus message failed; the message is dropped');
  }
}

/** Parts of a subject may be any text. */
export function subjectOf(...parts: readonly string[]): string {
  return parts.map(encodePart).join('.');
}

function encodePart(part: string): string {
  return /^[\w:-]+$/.test(part) ? part : `=${Buffer.from(part).toString('base64url')}`;
}
