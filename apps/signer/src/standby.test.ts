import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { SignerClient } from '@hunter/signer-client/signer-client';
import type { SignRequest } from '@hunter/signer-client/signing-policy';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransactionBase64, transactionFromMessage } from '@hunter/solana/transaction';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePortPair } from '../../../scripts/free-ports.ts';
import { makeAuthority, writeCertificates } from './fixtures/certificates.ts';
import { type SignerProcess, startSignerProcess } from './fixtures/signer-process.ts';

// One after the other, on two real processes: set up, cut off, promoted.

const PASSWORD = 'correct horse battery';
const TOKEN = 'known to the two signers and to nobody else';
const OPERATOR = 'operator-token-of-the-test';
const owner = { userId: 'user-1', walletId: 'wallet-1' };
const authority = makeAuthority('the operator');
const folder = mkdtempSync(join(tmpdir(), 'signer-server-'));
const clients: SignerClient[] = [];

let ports: { active: number; standby: number };
let active: SignerProcess;
let standby: SignerProcess;
let wallet: { address: Address; sealedKey: string };

const addressOf = (port: number): string => `tls://127.0.0.1:${port}`;

function clientOf(port: number, token: string, tlsFolder = folder): SignerClient {
  const client = new SignerClient({ socketPath: addressOf(port), token, tlsFolder });
  clients.push(client);
  return client;
}

const startStandby = (): Promise<SignerProcess> =>
  startSignerProcess(
    {
      SIGNER_ROLE: 'standby',
      SIGNER_DAILY_LIMIT_SOL: '1',
      SIGNER_SOCKET: addressOf(ports.standby),
      SIGNER_STANDBY_TOKEN: TOKEN,
      SIGNER_OPERATOR_TOKEN: OPERATOR,
    },
    (data) => {
      writeCertificates(join(data, 'tls'), authority);
      copyFileSync(join(active.folder, 'data/keys.json'), join(data, 'keys.json'));
    },
  );

beforeAll(async () => {
  ports = { active: await freePortPair(), standby: await freePortPair() };
  writeCertificates(folder, authority);
  active = await startSignerProcess(
    {
      SIGNER_SOCKET: addressOf(ports.active),
      SIGNER_STANDBY: addressOf(ports.standby),
      SIGNER_STANDBY_TOKEN: TOKEN,
      SIGNER_OPERATOR_TOKEN: OPERATOR,
      SIGNER_DAILY_LIMIT_SOL: '1',
    },
    (data) => writeCertificates(join(data, 'tls'), authority),
  );
});

afterAll(async () => {
  for (const client of clients) client.close();
  await active.stop();
  await standby?.stop();
  rmSync(folder, { recursive: true });
});

function aWithdrawal(withdrawalId: string, lamports: bigint): SignRequest {
  const destination = Keypair.generate().address;
  const message = compileMessage({
    feePayer: wallet.address,
    recentBlockhash: Keypair.generate().address,
    instructions: [transferSol({ from: wallet.address, to: destination, lamports })],
  });
  return {
    ...owner,
    sealedKey: wallet.sealedKey,
    transaction: encodeTransactionBase64(transactionFromMessage(message)),
    policy: { kind: 'withdrawal', withdrawalId, destination, lamports, password: PASSWORD },
  };
}

async function outcomeOf(client: SignerClient, request: SignRequest): Promise<string> {
  const [outcome] = await client.sign([request]);
  return outcome !== undefined && 'denied' in outcome ? outcome.denied.code : 'SIGNED';
}

it('speaks TLS with those only who have a certificate of its authority', async () => {
  expect(await clientOf(ports.active, active.token).status()).toMatchObject({ epoch: 1 });
  const other = mkdtempSync(join(tmpdir(), 'signer-stranger-'));
  writeCertificates(other, makeAuthority('the operator'));
  await expect(clientOf(ports.active, active.token, other).status()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  // It is the signer that refuses: the stranger believes the authority and is not known to it.
  copyFileSync(join(folder, 'ca.pem'), join(other, 'ca.pem'));
  await expect(clientOf(ports.active, active.token, other).status()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  writeCertificates(other, authority, '210101000000Z');
  await expect(clientOf(ports.active, active.token, other).status()).rejects.toMatchObject({
    code: 'UNREACHABLE',
    cause: { message: expect.stringContaining('cert.pem expired on 2021-01-01') as string },
  });
  rmSync(other, { recursive: true });
});

it('answers nothing that matters while its standby cannot be reached, and stops at once all the same', async () => {
  const server = clientOf(ports.active, active.token);
  await expect(server.createWallet({ ...owner, walletId: 'unanswered', password: PASSWORD })).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('nothing is signed without the standby') as string,
  });
  // A refusal may come with a record as well, such as a wrong try, and says what is right.
  const guess = { userId: 'user-1', walletId: 'unanswered', sealedKey: '{}', password: 'a guess' };
  await expect(server.verifyPassword(guess)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  await server.setKillSwitch(true);
  await clientOf(ports.active, OPERATOR).setKillSwitch(false);
});

it('signs once its standby has the whole log, and each line after it', async () => {
  standby = await startStandby();
  const server = clientOf(ports.active, active.token);
  wallet = await server.createWallet({ userId: 'user-1', walletId: 'wallet-1', password: PASSWORD });
  expect(await outcomeOf(server, aWithdrawal('first', 600_000_000n))).toBe('SIGNED');
  await standby.crashAndRestart();
  expect(await outcomeOf(server, aWithdrawal('second', 300_000_000n))).toBe('SIGNED');
  await expect(clientOf(ports.active, OPERATOR).rotate()).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});

it('is promoted by an operator only, and signs nothing before that', async () => {
  const server = clientOf(ports.standby, standby.token);
  await expect(server.sign([aWithdrawal('third', 1n)])).rejects.toMatchObject({ code: 'UNREACHABLE' });
  await expect(server.status()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  await expect(server.promote()).rejects.toMatchObject({ code: 'UNAUTHORISED' });
  await expect(clientOf(ports.standby, TOKEN).promote()).rejects.toMatchObject({ code: 'UNAUTHORISED' });
  expect(await outcomeOf(clientOf(ports.active, active.token), aWithdrawal('fourth', 1n))).toBe('SIGNED');
});

it('once promoted counts what the former one signed, which signs nothing any more', async () => {
  expect(await clientOf(ports.standby, OPERATOR).promote()).toMatchObject({ role: 'active', epoch: 2 });
  const promoted = clientOf(ports.standby, standby.token);
  await expect.poll(() => promoted.status().catch(() => null)).toMatchObject({ epoch: 2 });
  // 0.9 SOL of 1 SOL a day were signed by the other.
  expect(await outcomeOf(promoted, aWithdrawal('fifth', 200_000_000n))).toBe('VELOCITY');

  const former = clientOf(ports.active, active.token);
  await expect(former.sign([aWithdrawal('sixth', 1n)])).rejects.toMatchObject({ code: 'UNREACHABLE' });
  await expect.poll(active.output).toContain('has been promoted; this one signs nothing from now on');
  await expect(active.crashAndRestart()).rejects.toThrow('it never signs again');

  // A restart does not make it a standby again.
  await standby.crashAndRestart();
  expect(await clientOf(ports.standby, standby.token).status()).toMatchObject({ epoch: 2 });
  expect(existsSync(join(standby.folder, 'data/role.json'))).toBe(true);
});
