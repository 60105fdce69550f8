import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Address } from '@hunter/solana/address';
import { decodeBase58 } from '@hunter/solana/base58';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { SignerClient } from '@hunter/signer-client/signer-client';
import { SignerError } from '@hunter/signer-client/signer-error';
import type { SignRequest } from '@hunter/signer-client/signing-policy';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransactionBase64, transactionFromMessage } from '@hunter/solana/transaction';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignerProcess, startSignerProcess } from './fixtures/signer-process.ts';

const PASSWORD = 'correct horse battery';
const owner = { userId: 'user-1', walletId: 'wallet-1' };
const destination = Keypair.generate().address;

let signer: SignerProcess;
let client: SignerClient;
let wallet: { address: Address; sealedKey: string; privateKey: string };

beforeAll(async () => {
  signer = await startSignerProcess({ SIGNER_OPERATOR_TOKEN: 'operator-token-of-the-test' });
  client = new SignerClient({ socketPath: signer.socketPath, token: signer.token });
  wallet = await client.createWallet({ ...owner, password: PASSWORD });
});

afterAll(async () => {
  client.close();
  await signer.stop();
});

function aWithdrawal(withdrawalId: string, lamports = 1_000n): SignRequest {
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

const refused = (outcome: Awaited<ReturnType<SignerClient['sign']>>[number] | undefined): string =>
  outcome !== undefined && 'denied' in outcome ? outcome.denied.code : 'SIGNED';

describe('the signer process', () => {
  it('creates a wallet whose private key wallets can import, and signs with it', async () => {
    expect(Keypair.fromBase58SecretKey(wallet.privateKey).address).toBe(wallet.address);
    const [outcome] = await client.sign([aWithdrawal('first')]);
    expect(refused(outcome)).toBe('SIGNED');
    expect(await client.verifyPassword({ ...owner, sealedKey: wallet.sealedKey, password: PASSWORD })).toBe(true);
    expect(await client.verifyPassword({ ...owner, sealedKey: wallet.sealedKey, password: 'wrong' })).toBe(false);
  });

  it('answers many calls at once, each to its caller', async () => {
    const requests = Array.from({ length: 250 }, (_, index) => ({ ...aWithdrawal(`many-${index}`), policy: {} }));
    const outcomes = await client.sign(requests as unknown as SignRequest[]);
    expect(outcomes).toHaveLength(250);
    expect(new Set(outcomes.map(refused))).toEqual(new Set(['POLICY_INVALID']));
  });

  it('listens for its own user only', () => {
    expect(statSync(signer.socketPath).mode & 0o777).toBe(0o600);
  });

  it('turns a wrong token away', async () => {
    const stranger = new SignerClient({ socketPath: signer.socketPath, token: randomBytes(24).toString('hex') });
    await expect(stranger.status()).rejects.toMatchObject({ code: 'UNAUTHORISED' });
    stranger.close();
  });

  it('refuses requests of no form or of any length', async () => {
    const answers = await speak(signer.socketPath, ['nonsense', '[1]', JSON.stringify({ id: 1, token: signer.token })]);
    expect(answers.map((answer) => answer.error?.code)).toEqual(['INVALID_PARAMS', 'UNAUTHORISED', 'INVALID_PARAMS']);
    const [large] = await speak(signer.socketPath, ['x'.repeat(17 * 1024 * 1024)]);
    expect(large?.error?.code).toBe('REQUEST_TOO_LARGE');
    await expect(client.createWallet({ userId: 'a|b', walletId: 'w', password: 'x' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
  });

  it('answers without an id, and lives on, where the id is none that could be written out again', async () => {
    const nested = `${'{"0":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const [answer] = await speak(signer.socketPath, [`{"id":${nested},"token":"nobody's","method":"status"}`]);
    expect(answer).toMatchObject({ id: null, error: { code: 'UNAUTHORISED' } });
    expect(await client.status()).toMatchObject({ stopped: [] });
  });

  it('lets an operator in, and keeps him, however many connections somebody opens', async () => {
    const crowd = async () => {
      const sockets = Array.from({ length: 150 }, () => connect(signer.socketPath).on('error', () => {}));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      return sockets;
    };
    const before = await crowd();
    const operator = connect(signer.socketPath).on('error', () => {});
    const lines = createInterface({ input: operator })[Symbol.asyncIterator]();
    const ask = async (): Promise<unknown> => {
      const request = { id: 1, token: 'operator-token-of-the-test', method: 'status', params: {} };
      operator.write(`${JSON.stringify(request)}\n`);
      const line = await lines.next();
      return line.done ? 'closed' : JSON.parse(line.value);
    };
    expect(await ask()).toMatchObject({ result: { stopped: [] } });
    const after = await crowd();
    expect(await ask()).toMatchObject({ result: { stopped: [] } });
    for (const socket of [operator, ...before, ...after]) socket.destroy();
    // The server's own connection was the oldest; it makes another.
    const answers = (): Promise<boolean> =>
      client.status().then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(true);
  });

  it('stops signing at once by the kill switch, across a crash, until the operator releases it', async () => {
    await client.setKillSwitch(true);
    expect(refused((await client.sign([aWithdrawal('killed')]))[0])).toBe('KILL_SWITCH');
    await expect(client.exportKey({ ...owner, sealedKey: wallet.sealedKey, password: PASSWORD })).rejects.toMatchObject(
      {
        denied: { code: 'KILL_SWITCH' },
      },
    );
    await signer.crashAndRestart();
    await expect
      .poll(signer.output)
      .toMatch(/"time":"20.*the kill switch is on: swap since 20.*Z \(switched on by a server\)/);
    expect(
      refused((await client.sign([aWithdrawal('killed')]).catch(() => client.sign([aWithdrawal('killed')])))[0]),
    ).toBe('KILL_SWITCH');
    await expect(client.setKillSwitch(false)).rejects.toMatchObject({ code: 'UNAUTHORISED' });
    await expect(client.rotate()).rejects.toMatchObject({ code: 'UNAUTHORISED' });
    const operator = new SignerClient({ socketPath: signer.socketPath, token: 'operator-token-of-the-test' });
    await operator.setKillSwitch(false);
    operator.close();
    expect(refused((await client.sign([aWithdrawal('released')]))[0])).toBe('SIGNED');
  });

  it('remembers after a crash whatever it answered', async () => {
    const request = aWithdrawal('before-crash', 5_000n);
    expect(refused((await client.sign([request]))[0])).toBe('SIGNED');
    await signer.crashAndRestart();
    const changed = aWithdrawal('before-crash', 6_000n);
    const retry = async (): Promise<string> => refused((await client.sign([changed]))[0]);
    expect(await retry().catch(retry)).toBe('WITHDRAWAL_MISMATCH');
  });

  it('fails calls under way with a typed error when the signer is gone', async () => {
    const lonely = new SignerClient({ socketPath: `${signer.socketPath}.none`, token: signer.token });
    const error = await lonely.status().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SignerError);
    expect(error).toMatchObject({ code: 'UNREACHABLE' });
  });

  it('leaves no trace of a seed in its files, its output or the memory of whoever asks it to sign', async () => {
    const secretKey = Buffer.from(decodeBase58(wallet.privateKey));
    const seed = secretKey.subarray(0, 32);
    const forms = [
      seed,
      ...[seed.toString('hex'), seed.toString('base64'), wallet.privateKey, PASSWORD].map((text) => Buffer.from(text)),
      Buffer.from(Keypair.fromSeed(seed).base58SecretKey().slice(0, 40)),
    ];
    const traces = (bytes: Buffer): number => forms.filter((form) => bytes.includes(form)).length;

    // A process that only signs, and never saw the key being made, takes a picture of its whole heap.
    const snapshot = join(signer.folder, 'client.heapsnapshot');
    const clientModule = pathToFileURL(
      join(import.meta.dirname, '../../../packages/signer-client/src/signer-client.ts'),
    ).href;
    const request = aWithdrawal('canary');
    delete (request.policy as { password?: string }).password;
    const work = {
      socketPath: signer.socketPath,
      token: signer.token,
      request: JSON.parse(
        JSON.stringify(request, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ) as unknown,
    };
    expect(refused((await client.sign([aWithdrawal('canary')]))[0])).toBe('SIGNED');
    const script = join(signer.folder, 'client.ts');
    writeFileSync(
      script,
      `import { writeHeapSnapshot } from 'node:v8';
       import { SignerClient } from ${JSON.stringify(clientModule)};
       const work = ${JSON.stringify(work)};
       const client = new SignerClient(work);
       const outcomes = await client.sign([work.request as never]);
       writeHeapSnapshot(${JSON.stringify(snapshot)});
       console.log(JSON.stringify(outcomes));
       client.close();`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    await once(child, 'close');
    expect(output).toContain('signedTransaction');
    expect(traces(readFileSync(snapshot))).toBe(0);
    rmSync(snapshot);

    const data = join(signer.folder, 'data');
    for (const name of readdirSync(data)) expect(traces(readFileSync(join(data, name)))).toBe(0);
    expect(traces(Buffer.from(wallet.sealedKey))).toBe(0);
    expect(traces(Buffer.from(signer.output()))).toBe(0);
  });

  it('is the only one on its folder, also with another socket', async () => {
    const second = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: {
        ...process.env,
        SIGNER_SOCKET: join(signer.folder, 'other.sock'),
        SIGNER_TOKEN: signer.token,
        SIGNER_ENVIRONMENT: 'test',
        DATA_DIR: join(signer.folder, 'data'),
      },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let complaint = '';
    second.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString('utf8')));
    const [code] = (await once(second, 'close')) as [number];
    expect(code).toBe(1);
    expect(complaint).toMatch(/another signer uses the folder .+: stop that process first/);
  });

  it('ends with its parent, and says at its start where it has no operator', async () => {
    const other = await startSignerProcess();
    await expect.poll(other.output).toContain('SIGNER_OPERATOR_TOKEN is not set');
    expect(signer.output()).not.toContain('SIGNER_OPERATOR_TOKEN is not set');
    const gone = once(other.child, 'close');
    other.child.stdin!.end();
    expect(await gone).toEqual([0, null]);
    await other.stop();
  });

  it('refuses to start without its key file once it has been in use, and with a damaged one', async () => {
    const other = await startSignerProcess();
    const client = new SignerClient({ socketPath: other.socketPath, token: other.token });
    await client.setKillSwitch(true);
    client.close();
    const keys = join(other.folder, 'data/keys.json');
    truncateSync(keys, 20);
    await expect(other.crashAndRestart()).rejects.toThrow('keys.json is damaged');
    rmSync(keys);
    await expect(other.crashAndRestart()).rejects.toThrow('the key file is missing');
    await other.stop();
  });

  it.runIf(process.platform === 'linux')('ends where its log cannot be written, and says why', async () => {
    const other = await startSignerProcess();
    const client = new SignerClient({ socketPath: other.socketPath, token: other.token });
    await client.setKillSwitch(true, 'export');
    const gone = once(other.child, 'close');
    // As a full disk does, from here on, to this process alone.
    execFileSync('prlimit', ['--pid', String(other.child.pid), '--fsize=1']);
    await expect(client.setKillSwitch(true)).rejects.toMatchObject({ name: 'SignerError' });
    client.close();
    expect(await gone).toEqual([1, null]);
    expect(other.output()).toContain('signer.log cannot be written, this signer ends: EFBIG');
    await other.crashAndRestart();
    const again = new SignerClient({ socketPath: other.socketPath, token: other.token });
    expect((await again.status()).stopped).toEqual(['export']);
    again.close();
    await other.stop();
  });

  it('refuses to start without its log where there are keys, unless an empty one was put there', async () => {
    const other = await startSignerProcess();
    const log = join(other.folder, 'data/signer.log');
    rmSync(log);
    await expect(other.crashAndRestart()).rejects.toThrow('signer.log is missing although this signer has been in use');
    writeFileSync(log, '');
    await other.crashAndRestart();
    await other.stop();
  });
});

type Answer = { id: unknown; error?: { code: string } };

async function speak(path: string, lines: string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const line of lines) {
    const socket = connect(path);
    socket.on('error', () => {});
    const reader = createInterface({ input: socket });
    const answered = once(reader, 'line') as Promise<[string]>;
    socket.write(line.length > 1_000_000 ? line : `${line}\n`);
    answers.push(JSON.parse((await answered)[0]) as Answer);
    socket.destroy();
  }
  return answers;
}
