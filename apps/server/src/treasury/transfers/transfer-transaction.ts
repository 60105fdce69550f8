import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Instruction } from '@hunter/solana/instruction';
import { compileMessage } from '@hunter/solana/message';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { isTokenAccount } from '@hunter/solana/token-account';
import type { SigningPolicy } from '@hunter/signer-client/signing-policy';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import { encodeTransactionBase64, transactionFromMessage } from '@hunter/solana/transaction';
import { SOL } from '../../ledger/journal.ts';
import { rentCeiling } from '../../trading/order-limits.ts';
import type { Leg, Transfer } from './transfer.ts';
import { sentLamports, TRANSFER_FEE_LAMPORTS } from './transfer-costs.ts';

const MINT_DECIMALS_OFFSET = 44;

export type TransferToSign = { transaction: string; policy: SigningPolicy & { kind: 'commit' | 'return' } };

type MintFacts = { tokenProgram: Address; decimals: number };
type TokenTransfer = MintFacts & {
  to: Address;
  mint: Address;
  amount: bigint;
  lines: number[];
  isAccountMissing: boolean;
};

/** One System transfer per receiver, and per receiver and token one token transfer, with a new account where there is none. */
export async function buildTransfer(
  rpc: Pick<RpcClient, 'getMultipleAccounts'>,
  transfer: Transfer,
  recentBlockhash: string,
): Promise<TransferToSign> {
  const { kind, address: from, legs } = transfer;
  const tokens = await loadTokenTransfers(rpc, legs);
  const rentOf = ({ line }: Pick<Leg, 'line'>): bigint => {
    const token = tokens.find(({ lines, isAccountMissing }) => isAccountMissing && lines[0] === line);
    return token ? rentCeiling(token.tokenProgram) : 0n;
  };
  const sent = sentLamports(kind, legs, TRANSFER_FEE_LAMPORTS, rentOf);
  const receivers = Map.groupBy(
    legs.filter(({ asset }) => asset === SOL),
    ({ to }) => to.address,
  );
  const sol = [...receivers].map(([to, same]) => ({
    to,
    lamports: same.reduce((sum, { line }) => sum + sent.get(line)!, 0n),
  }));
  const instructions: Instruction[] = sol.map(({ to, lamports }) => transferSol({ from, to, lamports }));
  for (const { to, mint, amount, tokenProgram, decimals, isAccountMissing } of tokens) {
    if (isAccountMissing) {
      instructions.push(createAssociatedTokenAccountIdempotent({ payer: from, owner: to, mint, tokenProgram }));
    }
    const source = associatedTokenAddress(from, mint, tokenProgram);
    const destination = associatedTokenAddress(to, mint, tokenProgram);
    instructions.push(transferChecked({ source, mint, destination, owner: from, amount, decimals, tokenProgram }));
  }
  const message = compileMessage({ feePayer: from, recentBlockhash, instructions });
  const [first] = sol;
  const policy: TransferToSign['policy'] =
    kind === 'commit'
      ? { kind, strategyWallet: first!.to, lamports: first!.lamports }
      : {
          kind,
          legs: sol,
          tokens: tokens.map(({ to, mint, tokenProgram, amount }) => ({ to, mint, tokenProgram, amount })),
        };
  return { transaction: encodeTransactionBase64(transactionFromMessage(message)), policy };
}

async function loadTokenTransfers(
  rpc: Pick<RpcClient, 'getMultipleAccounts'>,
  legs: readonly Leg[],
): Promise<TokenTransfer[]> {
  const inKind = legs.flatMap(({ asset, ...leg }) => (asset === SOL ? [] : [{ ...leg, mint: asset }]));
  if (inKind.length === 0) return [];
  const mints = [...new Set(inKind.map(({ mint }) => mint))];
  const found = await rpc.getMultipleAccounts(mints);
  const facts = new Map(
    mints.map((mint, index): [Address, MintFacts] => {
      const account = found.value[index];
      if (!account) throw new Error(`mint ${mint} does not exist`);
      return [mint, { tokenProgram: account.owner, decimals: account.data[MINT_DECIMALS_OFFSET]! }];
    }),
  );
  const groups = [...Map.groupBy(inKind, ({ to, mint }) => `${to.address} ${mint}`).values()];
  const transfers = groups.map((same) => {
    const { to, mint } = same[0]!;
    const { tokenProgram, decimals } = facts.get(mint)!;
    const amount = same.reduce((sum, leg) => sum + leg.amount, 0n);
    return { to: to.address, mint, tokenProgram, decimals, amount, lines: same.map(({ line }) => line) };
  });
  const targets = await rpc.getMultipleAccounts(
    transfers.map(({ to, mint, tokenProgram }) => associatedTokenAddress(to, mint, tokenProgram)),
  );
  return transfers.map((one, index) => ({ ...one, isAccountMissing: !isTokenAccount(targets.value[index]) }));
}
