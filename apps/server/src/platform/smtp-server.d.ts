/** The part of `smtp-server` that the tests use; the package brings no types. */
declare module 'smtp-server' {
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';

  type Done = (error?: Error | null) => void;
  type Session = { envelope: { mailFrom: false | { address: string }; rcptTo: { address: string }[] } };

  export class SMTPServer {
    readonly server: Server;
    constructor(options: {
      authOptional?: boolean;
      disabledCommands?: string[];
      onRcptTo?: (address: { address: string }, session: Session, done: Done) => void;
      onData?: (stream: Readable, session: Session, done: Done) => void;
    });
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
  }
}
