import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@hunter/solana/program-ids';

/** Proper names, the same in every language. */
const names: ReadonlyMap<string, string> = new Map([
  [SYSTEM_PROGRAM, 'System Program'],
  [TOKEN_PROGRAM, 'Token Program'],
  [TOKEN_2022_PROGRAM, 'Token-2022 Program'],
  [ASSOCIATED_TOKEN_PROGRAM, 'Associated Token Program'],
  [COMPUTE_BUDGET_PROGRAM, 'Compute Budget Program'],
  [MEMO_PROGRAM, 'Memo Program'],
  ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', 'Memo Program v1'],
  ['Vote111111111111111111111111111111111111111', 'Vote Program'],
  ['AddressLookupTab1e1111111111111111111111111', 'Address Lookup Table Program'],
  ['BPFLoader2111111111111111111111111111111111', 'BPF Loader 2'],
  ['BPFLoaderUpgradeab1e11111111111111111111111', 'BPF Upgradeable Loader'],
  ['JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', 'Jupiter v6'],
  ['6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P', 'Pump.fun'],
  ['pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA', 'PumpSwap'],
  ['675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8', 'Raydium AMM v4'],
  ['CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK', 'Raydium CLMM'],
  ['CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C', 'Raydium CPMM'],
  ['whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'Orca Whirlpools'],
  ['LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo', 'Meteora DLMM'],
]);

export function programName(address: string): string | null {
  return names.get(address) ?? null;
}
