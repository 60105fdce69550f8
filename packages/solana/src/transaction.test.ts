import {
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressFromBytes } from './address.ts';
import { encodeBase58 } from './base58.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from './compute-budget-program.ts';
import { Keypair, verifySignature } from './keypair.ts';
import { compileMessage, decodeMessage, encodeMessage } from './message.ts';
import { decodeTransferSol, transferSol } from './system-program.ts';
import { closeTokenAccount, createAssociatedTokenAccountIdempotent, transferChecked } from './token-program.ts';
import {
  decodeTransaction,
  decodeTransactionBase64,
  encodeTransaction,
  encodeTransactionBase64,
  hasValidSignatures,
  missingSigners,
  signTransaction,
  transactionFromMessage,
  transactionId,
} from './transaction.ts';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anAddress = bytes32.map(addressFromBytes);
const anInstruction = fc.record({
  program: anAddress,
  accounts: fc.array(fc.record({ address: anAddress, signer: fc.boolean(), writable: fc.boolean() }), { maxLength: 6 }),
  data: fc.uint8Array({ maxLength: 200 }),
});
const aMessage = fc
  .record({
    version: fc.constantFrom('legacy' as const, 0 as const),
    feePayer: anAddress,
    recentBlockhash: bytes32.map(encodeBase58),
    instructions: fc.array(anInstruction, { maxLength: 5 }),
  })
  .map(compileMessage);

function aSwap(version: 'legacy' | 0 = 0) {
  const taker = Keypair.generate();
  const pool = Keypair.generate();
  const mint = Keypair.generate().address;
  const message = compileMessage({
    version,
    feePayer: taker.address,
    recentBlockhash: Keypair.generate().address,
    instructions: [
      setComputeUnitLimit(120_000),
      setComputeUnitPrice(5_000n),
      createAssociatedTokenAccountIdempotent({ payer: taker.address, owner: taker.address, mint }),
      transferSol({ from: taker.address, to: pool.address, lamports: 1_000_000_000n }),
      transferChecked({
        source: pool.address,
        mint,
        destination: taker.address,
        owner: pool.address,
        amount: 2n ** 63n,
        decimals: 6,
        references: [Keypair.generate().address],
      }),
      closeTokenAccount({ account: mint, destination: taker.address, owner: taker.address }),
    ],
  });
  return { taker, pool, transaction: transactionFromMessage(message) };
}

describe('messages and transactions', () => {
  it('gives back every message it encoded', () => {
    fc.assert(
      fc.property(aMessage, (message) => {
        expect(decodeMessage(encodeMessage(message))).toEqual({
          ...message,
          instructions: message.instructions.map((row) => ({ ...row, data: Uint8Array.from(row.data) })),
        });
      }),
      { numRuns: 200 },
    );
  });

  it('decodes the lookup tables of v0 messages', () => {
    fc.assert(
      fc.property(
        aMessage,
        fc.array(
          fc.record({
            table: anAddress,
            writableIndexes: fc.array(fc.nat(255), { maxLength: 4 }),
            readonlyIndexes: fc.array(fc.nat(255), { maxLength: 4 }),
          }),
          { maxLength: 3 },
        ),
        (message, lookups) => {
          const wanted = { ...message, version: 0 as const, lookups };
          expect(decodeMessage(encodeMessage(wanted)).lookups).toEqual(lookups);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each(['legacy', 0] as const)('writes %s bytes that kit reads the same way', (version) => {
    const { taker, pool, transaction } = aSwap(version);
    const signed = signTransaction(transaction, [taker, pool]);
    const wire = encodeTransaction(signed);
    const kitTransaction = getTransactionDecoder().decode(wire);
    const kitMessage = getCompiledTransactionMessageDecoder().decode(kitTransaction.messageBytes);
    expect(Object.keys(kitTransaction.signatures)).toEqual([taker.address, pool.address]);
    expect(kitMessage.staticAccounts).toEqual(signed.message.staticAccounts);
    expect(kitMessage.version).toBe(version);
    expect(hasValidSignatures(decodeTransaction(wire))).toBe(true);
  });

  it('reads version 1 as kit writes it, and refuses it cut short', () => {
    const taker = Keypair.generate();
    const to = Keypair.generate().address;
    const { program, accounts, data } = transferSol({ from: taker.address, to, lamports: 7n });
    const message = pipe(
      createTransactionMessage({ version: 1 }),
      (m) => setTransactionMessageConfig({ computeUnitLimit: 9_000, priorityFeeLamports: 1_234n }, m),
      (m) => setTransactionMessageFeePayer(address(taker.address), m),
      (m) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: Keypair.generate().address as string as Blockhash, lastValidBlockHeight: 1n },
          m,
        ),
      (m) =>
        appendTransactionMessageInstruction(
          {
            programAddress: address(program),
            accounts: accounts.map((one) => ({
              address: address(one.address),
              role: (one.signer ? 2 : 0) + (one.writable ? 1 : 0),
            })),
            data,
          },
          m,
        ),
    );
    const unsigned = compileTransaction(message);
    const signature = taker.sign(Uint8Array.from(unsigned.messageBytes));
    const wire = Uint8Array.from(
      getTransactionEncoder().encode({ ...unsigned, signatures: { [taker.address]: signature } } as never),
    );
    const read = decodeTransaction(wire);
    expect(read.message).toMatchObject({ version: 1, header: { requiredSignatures: 1 }, lookups: [] });
    expect(transactionId(read)).toBe(encodeBase58(signature));
    expect(hasValidSignatures(read)).toBe(true);
    const [transfer] = read.message.instructions;
    expect(read.message.staticAccounts[transfer!.accountIndexes[1]!]).toBe(to);
    expect([...transfer!.data]).toEqual([...data]);
    expect(() => encodeMessage(read.message)).toThrow('MESSAGE_INVALID');
    for (let length = 0; length < wire.length; length += 1) {
      expect(() => decodeTransaction(wire.subarray(0, length))).toThrow();
    }
  });

  it('leaves other signers slots untouched when signing in parts', () => {
    const { taker, pool, transaction } = aSwap();
    const half = signTransaction(transaction, [pool]);
    expect(missingSigners(half)).toEqual([taker.address]);
    expect(transactionId(half)).toBeNull();
    const whole = signTransaction(decodeTransactionBase64(encodeTransactionBase64(half)), [taker]);
    expect(missingSigners(whole)).toEqual([]);
    expect(transactionId(whole)).toBe(encodeBase58(whole.signatures[0]!));
    expect([...whole.signatures[1]!]).toEqual([...half.signatures[1]!]);
    expect(() => signTransaction(half, [Keypair.generate()])).toThrow('is not a signer');
  });

  it('refuses bytes that are cut short or padded at any place', () => {
    const wire = encodeTransaction(aSwap().transaction);
    for (let length = 0; length < wire.length; length += 1) {
      expect(() => decodeTransaction(wire.subarray(0, length))).toThrow();
    }
    expect(() => decodeTransaction(Buffer.concat([wire, Uint8Array.of(0)]))).toThrow();
  });

  it('never crashes on noise with anything but its own error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        try {
          decodeTransaction(noise);
        } catch (error) {
          expect((error as Error).name).toBe('SolanaError');
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('puts the fee payer first', () => {
    const { taker, transaction } = aSwap();
    expect(transaction.message.staticAccounts[0]).toBe(taker.address);
  });

  it('reads amounts back from instruction data', () => {
    const { address } = Keypair.generate();
    expect(decodeTransferSol(transferSol({ from: address, to: address, lamports: 7n }).data)).toEqual({ lamports: 7n });
    const transfer = transferChecked({
      source: address,
      mint: address,
      destination: address,
      owner: address,
      amount: 2n ** 64n - 1n,
      decimals: 9,
    });
    expect(decodeTransferSol(transfer.data)).toBeNull();
    expect(() => transferSol({ from: address, to: address, lamports: 2n ** 64n })).toThrow('AMOUNT_OUT_OF_RANGE');
  });
});

describe('keypairs', () => {
  it('round-trips through the base58 secret key and verifies what it signed', () => {
    const keypair = Keypair.generate();
    const again = Keypair.fromBase58SecretKey(keypair.base58SecretKey());
    expect(again.address).toBe(keypair.address);
    const message = Buffer.from('message');
    const signature = keypair.sign(message);
    expect(verifySignature(again.address, message, signature)).toBe(true);
    expect(verifySignature(again.address, Buffer.from('other'), signature)).toBe(false);
  });

  it('refuses a secret key whose halves do not belong together', () => {
    const secret = Keypair.generate().secretKey();
    secret[40]! ^= 1;
    expect(() => Keypair.fromSecretKey(secret)).toThrow('SECRET_KEY_INVALID');
  });

  it('does not put the seed into JSON', () => {
    const keypair = Keypair.generate();
    expect(JSON.stringify(keypair)).toBe(JSON.stringify({ address: keypair.address }));
  });
});
