/**
 * Sign and policy through the socket against bare `crypto.sign` with the keys at hand: a burst of a thousand different
 * wallets, none of them seen before, on the same bytes. The bar is 40 %.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { addressBytes } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { SignerClient } from '@hunter/signer-client/signer-client';
import type { SignRequest } from '@hunter/signer-client/signing-policy';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { encodeTransactionBase64, transactionFromMessage } from '@hunter/solana/transaction';
import { withSigner } from './bench-signer.ts';
import type { Figures } from '../../scripts/run-named.ts';

const WALLETS = 1_000;
const RATIO_MIN = 0.4;
const venue = generateKeyPairSync('ed25519');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

type Wallet = { request: SignRequest; message: Uint8Array; key: KeyObject };

export default async function measureSigner([rounds = '7']: readonly string[]): Promise<Figures> {
  return withSigner(venue.publicKey.export({ format: 'jwk' }).x!, async ({ socketPath, token }) => {
    const client = new SignerClient({ socketPath, token, timeoutMs: 120_000 });
    try {
      return await measure(client, Number(rounds));
    } finally {
      client.close();
    }
  });
}

async function measure(client: SignerClient, rounds: number): Promise<Figures> {
  const wallets = await buildWallets(client);
  const bare: number[] = [];
  const burst: number[] = [];
  // The two take turns and are compared turn by turn, so that a busy machine slows both.
  for (let round = 0; round < rounds; round += 1) {
    let start = performance.now();
    for (const wallet of wallets) sign(null, wallet.message, wallet.key);
    bare.push(performance.now() - start);
    start = performance.now();
    const outcomes = await client.sign(wallets.map((wallet) => wallet.request));
    burst.push(performance.now() - start);
    const denied = outcomes.find((outcome) => 'denied' in outcome);
    if (denied !== undefined) throw new Error(`a request was denied: ${JSON.stringify(denied)}`);
  }
  const single: number[] = [];
  for (const wallet of wallets) {
    const start = performance.now();
    await client.sign([wallet.request]);
    single.push(performance.now() - start);
  }
  const barePerSecond = (WALLETS * 1000) / median(bare);
  const burstPerSecond = (WALLETS * 1000) / median(burst);
  const ratio = median(bare.map((bareMs, round) => bareMs / burst[round]!));
  return {
    wallets: WALLETS,
    barePerSecond: Math.round(barePerSecond),
    signedPerSecond: Math.round(burstPerSecond),
    ratio: Number(ratio.toFixed(3)),
    ratioMin: RATIO_MIN,
    burstMs: Number(median(burst).toFixed(1)),
    singleP50Ms: Number(percentile(single, 0.5).toFixed(3)),
    singleP99Ms: Number(percentile(single, 0.99).toFixed(3)),
    ok: ratio >= RATIO_MIN,
  };
}

async function buildWallets(client: SignerClient): Promise<Wallet[]> {
  const pool = Keypair.generate();
  const mint = Keypair.generate().address;
  const wallets: Wallet[] = [];
  for (let start = 0; start < WALLETS; start += 20) {
    const part = Array.from({ length: 20 }, (_, index) => buildWallet(client, start + index, pool, mint));
    wallets.push(...(await Promise.all(part)));
  }
  return wallets;
}

async function buildWallet(
  client: SignerClient,
  index: number,
  pool: Keypair,
  mint: Keypair['address'],
): Promise<Wallet> {
  const owner = { userId: `user-${index}`, walletId: `wallet-${index}` };
  const { address, sealedKey, privateKey } = await client.createWallet({ ...owner, password: 'bench password' });
  const spend = 1_000_000n + BigInt(index);
  const message = compileMessage({
    feePayer: address,
    recentBlockhash: Keypair.generate().address,
    instructions: [
      createAssociatedTokenAccountIdempotent({ payer: address, owner: address, mint }),
      transferSol({ from: address, to: pool.address, lamports: spend }),
      transferChecked({
        source: associatedTokenAddress(pool.address, mint),
        mint,
        destination: associatedTokenAddress(address, mint),
        owner: pool.address,
        amount: 5_000n,
        decimals: 6,
        references: [pool.address],
      }),
    ],
  });
  const transaction = transactionFromMessage(message);
  const certified = Buffer.concat([Buffer.from('hunter-pool-1\0'), addressBytes(pool.address), addressBytes(mint)]);
  const seed = Keypair.fromBase58SecretKey(privateKey).secretKey().subarray(0, 32);
  return {
    message: transaction.messageBytes,
    key: createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' }),
    request: {
      ...owner,
      sealedKey,
      transaction: encodeTransactionBase64(transaction),
      policy: {
        kind: 'swap',
        mint,
        tokenProgram: TOKEN_PROGRAM,
        side: 'buy',
        maxLamportsOut: spend + 3_000_000n,
        maxTokensOut: 0n,
        minTokensIn: 5_000n,
        poolCertificate: sign(null, certified, venue.privateKey).toString('base64'),
      },
    },
  };
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
