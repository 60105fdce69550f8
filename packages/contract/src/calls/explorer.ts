import { z } from 'zod';
import { call } from '../call.ts';
import { cursorOf, queryNumber, sol, solanaAddress, timeMs, tokens } from '../fields.ts';

const signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/);
const confirmation = z.enum(['processed', 'confirmed', 'finalized']).nullable();
/** Symbol and logo are null for a token that the market does not know. */
const token = z.object({
  tokenContractAddress: z.string(),
  tokenSymbol: z.string().nullable(),
  tokenLogoUrl: z.string().nullable(),
});

const transactionDetails = z.object({
  fee: sol,
  /** The first pays the fee. */
  signers: z.array(z.string()),
  solChanges: z.array(z.object({ address: z.string(), change: sol, after: sol })),
  /** `isPool`: the owner is where the token is traded at the venue, its pool or launch curve. */
  tokenChanges: z.array(token.extend({ owner: z.string(), isPool: z.boolean(), change: tokens, after: tokens })),
  instructions: z.array(
    z.object({
      program: z.string(),
      /** Null for a program that is not known by name. */
      programName: z.string().nullable(),
      /** What it asks the program to do, where the program's format is known. */
      name: z.string().nullable(),
      /** Of SOL, or of the token where there is one. */
      amount: z.string().nullable(),
      token: token.nullable(),
      accounts: z.array(z.string()),
      data: z.string().describe('Base58.'),
    }),
  ),
  /** `round`: the memo of a strategy's round, which followers check at /verify. */
  memos: z.array(z.object({ text: z.string(), kind: z.enum(['round', 'text']) })),
  logs: z.array(z.string()),
});

export const explorerCalls = {
  getChainTransaction: call({
    method: 'GET',
    path: '/api/chain/getTransaction',
    access: 'open',
    effect: 'read',
    about: 'A transaction as the chain has it.',
    request: z.strictObject({ signature }),
    reply: z.object({
      signature: z.string(),
      /** `pruned`: the node knows how it ended and keeps no more of it. `unknown`: it never landed, or is older than the node remembers. */
      status: z.enum(['success', 'failed', 'pruned', 'unknown']),
      confirmation,
      slot: z.number().int().nullable(),
      time: timeMs.nullable(),
      /** Why it failed, in the node's words; the instruction counts from 1. */
      error: z.object({ instruction: z.number().int().nullable(), reason: z.string() }).nullable(),
      /** Null also while it is processed and not yet confirmed. */
      details: transactionDetails.nullable(),
    }),
  }),
  getChainAddress: call({
    method: 'GET',
    path: '/api/chain/getAddress',
    access: 'open',
    effect: 'read',
    about: 'What an address is on the chain, and what it holds.',
    request: z.strictObject({ address: solanaAddress }),
    reply: z.object({
      address: z.string(),
      /** `none`: there is no account and it holds nothing. `account`: data of some program. */
      kind: z.enum(['wallet', 'token-account', 'mint', 'program', 'account', 'none']),
      sol,
      /** The program that the account belongs to. */
      program: z.object({ address: z.string(), name: z.string().nullable() }).nullable(),
      /** For a program itself. */
      programName: z.string().nullable(),
      tokenAccount: token.extend({ owner: z.string(), amount: tokens, frozen: z.boolean() }).nullable(),
      mint: token
        .extend({
          supply: tokens,
          decimals: z.number().int(),
          mintAuthority: z.string().nullable(),
          freezeAuthority: z.string().nullable(),
        })
        .nullable(),
      /** The token whose pool keeps its reserves here. */
      poolOf: token.nullable(),
      /** Of a wallet; at most 200. */
      tokens: z.array(token.extend({ account: z.string(), amount: tokens })),
    }),
  }),
  getChainSignatures: call({
    method: 'GET',
    path: '/api/chain/getSignatures',
    access: 'open',
    effect: 'read',
    about: 'Transactions that name an address, newest first, as far back as the node remembers.',
    request: z.strictObject({
      address: solanaAddress,
      cursor: signature.optional(),
      limit: queryNumber(1, 100).default(25),
    }),
    reply: cursorOf(
      z.object({
        signature: z.string(),
        slot: z.number().int(),
        time: timeMs.nullable(),
        failed: z.boolean(),
        confirmation,
      }),
    ),
  }),
};
