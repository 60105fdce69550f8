import { describe, expect, it } from 'vitest';
import { parsePostmasterPid } from './postmaster-pid.ts';
import { databaseUrl, decideFailure, sharedBuffersMb, socketFolder } from './server.ts';

describe('a failed start of the database server', () => {
  it('is tried on another port when the port was taken in between', () => {
    const log =
      'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use\nFATAL:  could not create any TCP/IP sockets';
    expect(decideFailure(log, 'exited with 1').kind).toBe('port-taken');
  });

  it('is tried again while sessions of a killed server hold its memory', () => {
    const log = 'FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use';
    expect(decideFailure(log, 'exited with 1').kind).toBe('locked');
  });

  it('is final otherwise, with the words of the server', () => {
    expect(decideFailure('FATAL:  data directory "x" has wrong ownership', 'exited with 1')).toEqual({
      kind: 'failed',
      reason: 'data directory "x" has wrong ownership',
    });
    expect(decideFailure('', 'exited with 127')).toEqual({ kind: 'failed', reason: 'exited with 127' });
  });
});

describe('parsePostmasterPid', () => {
  it('reads process, port and state', () => {
    const text = '4711\n/data/cluster\n1700000000\n54321\n\n127.0.0.1\n  1234 5\nready   \n';
    expect(parsePostmasterPid(text)).toEqual({ pid: 4711, port: 54_321, status: 'ready' });
  });

  it('takes a file that is still being written, or broken, for what it is', () => {
    expect(parsePostmasterPid('4711\n')).toEqual({ pid: 4711, port: undefined, status: '' });
    expect(parsePostmasterPid('')).toBeUndefined();
    expect(parsePostmasterPid('-5\n')).toBeUndefined();
  });
});

describe('the memory of the embedded PostgreSQL', () => {
  const GB = 2 ** 30;
  it.each([
    [GB / 2, 128],
    [2 * GB, 256],
    [64 * GB, 512],
  ])('of a machine with %i bytes', (machineBytes, megabytes) => {
    expect(sharedBuffersMb(machineBytes)).toBe(megabytes);
  });
});

describe('the Unix socket of the embedded PostgreSQL', () => {
  const url = (folder: string): string =>
    databaseUrl({ password: 'secret', port: 5_433, socketFolder: socketFolder(folder) });

  it('is in its folder, whatever that is called', () => {
    expect(url('/srv/my data+more')).toBe(
      'postgresql://hunter:secret@127.0.0.1:5433/postgres?host=%2Fsrv%2Fmy%20data%2Bmore',
    );
  });

  it('is left out where the system has no room for its path', () => {
    expect(url(`/${'deep/'.repeat(20)}postgres`)).toBe('postgresql://hunter:secret@127.0.0.1:5433/postgres');
  });
});
