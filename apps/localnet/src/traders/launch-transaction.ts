import { type Address, addressBytes } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { type Instruction, readonlySigner, writableAccount, writableSigner } from '@hunter/solana/instruction';
import type { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { writeU64 } from '@hunter/solana/u64';
import { RENT_EXEMPT_EMPTY, rentExemptLamports } from '../venue/rent.ts';
import type { SimulatedToken } from './simulated-token.ts';

const MINT_LENGTH = 82;
const CREATE_ACCOUNT = 0;
const SET_AUTHORITY = 6;
const MINT_TO = 7;
const INITIALIZE_MINT_2 = 20;
const MINT_AUTHORITY_KIND = 0;

/** What a developer has to buy his own token with, and to pay for transfers. */
const DEV_LAMPORTS = 4_000_000_000n;

/**
 * A launch in one transaction: the mint comes to be, the curve gets the whole supply, and nobody can mint again. Paid for by
 * the launchpad, which also gives the developer some SOL.
 */
export function launchWire(input: {
  token: SimulatedToken;
  launchpad: Keypair;
  mint: Keypair;
  dev: Keypair;
  pool: Address;
  blockhash: string;
}): Uint8Array {
  const { token, launchpad, mint, dev, pool } = input;
  const { listing } = token;
  const payer = launchpad.address;
  const message = compileMessage({
    version: 0,
    feePayer: payer,
    recentBlockhash: input.blockhash,
    instructions: [
      createMintAccount(payer, mint.address),
      initializeMint(mint.address, dev.address, listing.decimals),
      createAssociatedTokenAccountIdempotent({ payer, owner: pool, mint: mint.address }),
      mintTo(mint.address, pool, dev.address, token.poolTokens),
      disableMinting(mint.address, dev.address),
      transferSol({ from: payer, to: pool, lamports: RENT_EXEMPT_EMPTY }),
      transferSol({ from: payer, to: dev.address, lamports: DEV_LAMPORTS }),
    ],
  });
  return encodeTransaction(signTransaction(transactionFromMessage(message), [launchpad, mint, dev]));
}

function createMintAccount(payer: Address, mint: Address): Instruction {
  const data = new Uint8Array(52);
  data[0] = CREATE_ACCOUNT;
  writeU64(data, 4, rentExemptLamports(MINT_LENGTH));
  writeU64(data, 12, BigInt(MINT_LENGTH));
  data.set(addressBytes(TOKEN_PROGRAM), 20);
  return { program: SYSTEM_PROGRAM, accounts: [writableSigner(payer), writableSigner(mint)], data };
}

function initializeMint(mint: Address, authority: Address, decimals: number): Instruction {
  const data = new Uint8Array(35);
  data[0] = INITIALIZE_MINT_2;
  data[1] = decimals;
  data.set(addressBytes(authority), 2);
  return { program: TOKEN_PROGRAM, accounts: [writableAccount(mint)], data };
}

function mintTo(mint: Address, owner: Address, authority: Address, amount: bigint): Instruction {
  const data = new Uint8Array(9);
  data[0] = MINT_TO;
  writeU64(data, 1, amount);
  const destination = associatedTokenAddress(owner, mint);
  return {
    program: TOKEN_PROGRAM,
    accounts: [writableAccount(mint), writableAccount(destination), readonlySigner(authority)],
    data,
  };
}

function disableMinting(mint: Address, authority: Address): Instruction {
  const data = Uint8Array.of(SET_AUTHORITY, MINT_AUTHORITY_KIND, 0);
  return { program: TOKEN_PROGRAM, accounts: [writableAccount(mint), readonlySigner(authority)], data };
}
