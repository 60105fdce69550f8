// What the chain says, through plain JSON-RPC. Works in browsers and in Node: whoever uses it brings `fetch`.

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init?: { method: string; headers: Record<string, string>; body: string },
) => Promise<{ status: number; headers: { get(name: string): string | null }; json(): Promise<unknown> }>;

type Call = { method: string; params: unknown[] };
type Answer = { id: number; result?: unknown; error?: { message: string } };

/** Small enough for a public node and for the limits of the product's own proxy. */
const BATCH_CALLS = 25;
const BATCHES_AT_ONCE = 2;
const SIGNATURES_PER_PAGE = 1_000;
/** Nodes refuse more. */
const ACCOUNTS_PER_CALL = 100;
const BUSY_TRIES = 8;
const BUSY_PAUSE_MS = 1_000;

export class ChainError extends Error {
  override readonly name = 'ChainError';
}

export class Chain {
  readonly #url: string;
  readonly #fetch: Fetch;
  readonly #transactions = new Map<string, Transaction>();
  /** Some nodes answer no batches; then every call goes by itself. */
  #batches = true;

  constructor(url: string, fetch: Fetch) {
    this.#url = url;
    this.#fetch = fetch;
  }

  genesisHash(): Promise<string> {
    return this.#ask('getGenesisHash', []);
  }

  /** Every transaction that names the address, oldest first. */
  async signatures(address: string): Promise<SignatureRow[]> {
    const rows: SignatureRow[] = [];
    for (;;) {
      const before = rows.at(-1)?.signature;
      const page = await this.#ask<SignatureRow[]>('getSignaturesForAddress', [
        address,
        { limit: SIGNATURES_PER_PAGE, commitment: 'confirmed', ...(before === undefined ? {} : { before }) },
      ]);
      if (page.some(({ signature }) => signature === before)) {
        throw new ChainError('getSignaturesForAddress: the node begins again instead of continuing');
      }
      rows.push(...page);
      if (page.length < SIGNATURES_PER_PAGE) return rows.reverse();
    }
  }

  /** Those that the node has. What was read once is not asked for again. */
  async transactions(
    signatures: Iterable<string>,
    onProgress?: (done: number, total: number) => void,
  ): Promise<ReadonlyMap<string, Transaction>> {
    const wanted = [...new Set(signatures)].filter((signature) => !this.#transactions.has(signature));
    let done = 0;
    let next = 0;
    const readNext = async (): Promise<void> => {
      while (next < wanted.length) {
        const part = wanted.slice(next, (next += BATCH_CALLS));
        const found = await this.#askMany<Transaction | null>(part.map(getTransaction));
        for (const [index, signature] of part.entries()) {
          const transaction = found[index];
          if (transaction) this.#transactions.set(signature, transaction);
        }
        onProgress?.((done += part.length), wanted.length);
      }
    };
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, readNext));
    return this.#transactions;
  }

  /** Accounts as they are, up to a hundred of them at one slot; null for those that do not exist. */
  async accounts(addresses: readonly string[]): Promise<(Account | null)[]> {
    if (addresses.length > ACCOUNTS_PER_CALL) {
      const first = await this.accounts(addresses.slice(0, ACCOUNTS_PER_CALL));
      return [...first, ...(await this.accounts(addresses.slice(ACCOUNTS_PER_CALL)))];
    }
    const { value } = await this.#ask<{
      value: ({ lamports: number; owner: string; data: [string, string] } | null)[];
    }>('getMultipleAccounts', [addresses, { encoding: 'base64', commitment: 'processed' }]);
    return value.map(
      (account) =>
        account && {
          lamports: BigInt(account.lamports),
          program: account.owner,
          data: Uint8Array.from(atob(account.data[0]), (letter) => letter.charCodeAt(0)),
        },
    );
  }

  async #ask<Result>(method: string, params: unknown[]): Promise<Result> {
    return resultOf(method, (await this.#post({ jsonrpc: '2.0', id: 0, method, params })) as Answer) as Result;
  }

  async #askMany<Result>(calls: readonly Call[]): Promise<Result[]> {
    if (this.#batches) {
      const reply = await this.#post(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
      if (Array.isArray(reply)) {
        const byId = new Map((reply as Answer[]).map((answer) => [answer.id, answer]));
        return calls.map(({ method }, id) => resultOf(method, byId.get(id)) as Result);
      }
      this.#batches = false;
    }
    const results: Result[] = [];
    for (const { method, params } of calls) results.push(await this.#ask<Result>(method, params));
    return results;
  }

  async #post(body: unknown): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#send(body);
      if (reply.status !== 429) {
        return reply.json().catch(() => {
          throw new ChainError(`${this.#url} answered with HTTP ${reply.status} and no JSON`);
        });
      }
      if (attempt === BUSY_TRIES) throw new ChainError(`${this.#url} refuses more requests (HTTP 429)`);
      const seconds = Number(reply.headers.get('retry-after') ?? 0);
      const pauseMs = Math.max(BUSY_PAUSE_MS, Math.min(seconds, 30) * 1_000);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async #send(body: unknown): ReturnType<Fetch> {
    try {
      return await this.#fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    } catch (cause) {
      throw new ChainError(`${this.#url} cannot be reached`, { cause });
    }
  }
}

function resultOf(method: string, answer: Answer | undefined): unknown {
  if (answer?.error) throw new ChainError(`${method}: ${answer.error.message}`);
  if (answer?.result === undefined) throw new ChainError(`${method}: the node gave no answer`);
  return answer.result;
}

function getTransaction(signature: string): Call {
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
  return { method: 'getTransaction', params: [signature, options] };
}

/** `program` is the one that alone may change its data. */
export type Account = { lamports: bigint; program: string; data: Uint8Array };

export type SignatureRow = { signature: string; slot: number; err: unknown; blockTime: number | null };

type TokenBalance = {
  accountIndex: number;
  mint: string;
  owner: string;
  uiTokenAmount: { amount: string; decimals: number };
};

export type Transaction = {
  slot: number;
  transaction: {
    message: {
      /** The first of the keys are the signers'. */
      header: { numRequiredSignatures: number };
      accountKeys: string[];
      instructions: { programIdIndex: number; data: string }[];
    };
  };
  meta: {
    err: unknown;
    fee: number;
    preBalances: number[];
    postBalances: number[];
    preTokenBalances: TokenBalance[];
    postTokenBalances: TokenBalance[];
    loadedAddresses?: { writable: string[]; readonly: string[] };
  };
};
