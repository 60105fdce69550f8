import { decodeBase58 } from '@hunter/solana/base58';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { setComputeUnitLimit } from '@hunter/solana/compute-budget-program';
import type { Instruction } from '@hunter/solana/instruction';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage, encodeMessage } from '@hunter/solana/message';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileSwap, computeUnitLimit, signedWire, splitSwapWire, type SwapTerms } from './swap-transaction.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((seed) => Keypair.fromSeed(seed).address);
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

const terms: fc.Arbitrary<SwapTerms & { blockhash: string }> = fc
  .record({
    listing: fc.record({
      mint: key,
      tokenProgram: fc.constantFrom<Address>(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
      decimals: fc.nat({ max: 12 }),
    }),
    pool: key,
    reference: key,
    taker: key,
    side: fc.constantFrom('buy' as const, 'sell' as const),
    lamports: u64,
    tokens: u64,
    blockhash: key,
    nonce: fc.nat({ max: 200_000 }),
  })
  .filter(({ listing, pool, reference, taker }) => new Set([listing.mint, pool, reference, taker]).size === 4);

function instructionsOf({ listing, pool, reference, taker, side, lamports, tokens, nonce }: SwapTerms): Instruction[] {
  const { mint, tokenProgram, decimals } = listing;
  const vault = associatedTokenAddress(pool, mint, tokenProgram);
  const own = associatedTokenAddress(taker, mint, tokenProgram);
  const limit = setComputeUnitLimit(computeUnitLimit(nonce));
  const token = { mint, amount: tokens, decimals, tokenProgram, references: [reference] };
  return side === 'buy'
    ? [
        limit,
        createAssociatedTokenAccountIdempotent({ payer: taker, owner: taker, mint, tokenProgram }),
        transferSol({ from: taker, to: pool, lamports }),
        transferChecked({ ...token, source: vault, destination: own, owner: pool }),
      ]
    : [
        limit,
        transferChecked({ ...token, source: own, destination: vault, owner: taker }),
        transferSol({ from: pool, to: taker, lamports }),
      ];
}

it('lays a swap out as compiling its instructions does, byte for byte', () => {
  fc.assert(
    fc.property(terms, (swap) => {
      const instructions = instructionsOf(swap);
      const message = compileMessage({
        version: 0,
        feePayer: swap.taker,
        recentBlockhash: swap.blockhash,
        instructions,
      });
      const { accountKeys, messageBytes } = compileSwap(swap);
      expect(accountKeys).toEqual(message.staticAccounts);
      expect(Buffer.from(messageBytes).toString('hex')).toBe(Buffer.from(encodeMessage(message)).toString('hex'));
      const fromBytes = compileSwap({ ...swap, blockhash: decodeBase58(swap.blockhash) });
      expect(Buffer.from(fromBytes.messageBytes).equals(messageBytes)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('splits a signed swap into what was put together, and refuses other shapes', () => {
  const message = Uint8Array.from({ length: 40 }, (_, index) => index);
  const wire = signedWire(message, new Uint8Array(64).fill(1), new Uint8Array(64).fill(2));
  expect(splitSwapWire(wire)).toEqual({ takerSignature: new Uint8Array(64).fill(1), messageBytes: message });
  for (const other of [new Uint8Array(0), new Uint8Array(300), wire.subarray(0, 129)])
    expect(splitSwapWire(other)).toBeNull();
});
