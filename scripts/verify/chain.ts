// What the chain says, through plain JSON-RPC.

export class Chain {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async ask<Result>(method: string, params: unknown[]): Promise<Result> {
    const reply = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await reply.json()) as { result: Result; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  transaction(signature: string): Promise<Transaction | null> {
    return this.ask('getTransaction', [
      signature,
      { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
    ]);
  }

  async lamports(address: string): Promise<bigint> {
    const { value } = await this.ask<{ value: number }>('getBalance', [address, { commitment: 'processed' }]);
    return BigInt(value);
  }

  async tokens(account: string): Promise<{ amount: bigint; decimals: number }> {
    const { value } = await this.ask<{ value: { amount: string; decimals: number } }>('getTokenAccountBalance', [
      account,
      { commitment: 'processed' },
    ]);
    return { amount: BigInt(value.amount), decimals: value.decimals };
  }

  async decimals(mint: string): Promise<number> {
    const { value } = await this.ask<{ value: { decimals: number } }>('getTokenSupply', [mint]);
    return value.decimals;
  }
}

type TokenBalance = { accountIndex: number; mint: string; owner: string; uiTokenAmount: { amount: string } };

export type Transaction = {
  transaction: { message: { accountKeys: string[] } };
  meta: {
    err: unknown;
    fee: number;
    preBalances: number[];
    postBalances: number[];
    preTokenBalances: TokenBalance[];
    postTokenBalances: TokenBalance[];
  };
};

/** What one transaction did to a wallet, read from balances before and after and nothing else. */
export type Effect = {
  failed: boolean;
  feeLamports: bigint;
  /** SOL that went to the other side of a swap (below zero) or came from it, fee and deposits taken out. */
  swapLamports: bigint;
  /** Deposits locked in token accounts of the wallet (above zero) or returned from them. */
  depositLamports: bigint;
  tokens: Map<string, bigint>;
};

export function effectOn(wallet: string, { transaction, meta }: Transaction): Effect {
  const keys = transaction.message.accountKeys;
  const payer = keys[0] === wallet;
  const own = keys.indexOf(wallet);
  if (own < 0) throw new Error('the wallet has no part in the transaction');
  const change = (index: number): bigint => BigInt(meta.postBalances[index]!) - BigInt(meta.preBalances[index]!);
  const feeLamports = payer ? BigInt(meta.fee) : 0n;
  const tokens = new Map<string, bigint>();
  const accounts = new Set<number>();
  const add = (balances: readonly TokenBalance[], sign: bigint): void => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
      if (owner !== wallet) continue;
      accounts.add(accountIndex);
      tokens.set(mint, (tokens.get(mint) ?? 0n) + sign * BigInt(uiTokenAmount.amount));
    }
  };
  add(meta.postTokenBalances, 1n);
  add(meta.preTokenBalances, -1n);
  const depositLamports = [...accounts].reduce((sum, index) => sum + change(index), 0n);
  return {
    failed: meta.err !== null,
    feeLamports,
    swapLamports: change(own) + feeLamports + depositLamports,
    depositLamports,
    tokens,
  };
}
