import { randomUUID } from 'node:crypto';
import { divCeil, divFloor } from '@hunter/domain/numbers/rounding';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { encodeBase58 } from '@hunter/solana/base58';
import { verifySignature } from '@hunter/solana/keypair';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import type { Chain } from '../chain/chain.ts';
import { type ExecuteResult, EXECUTE_CODE, failed, Refusal } from './refusal.ts';
import { ledgerResult, outcomeResult } from './execute-result.ts';
import type { Pool } from './pool.ts';
import type { PoolRegistry } from './pool-registry.ts';
import { POOL_FEE_BPS, type Side } from './pool-curve.ts';
import { RENT_EXEMPT_EMPTY, rentExemptLamports } from './rent.ts';
import { curveInput, type SwapAmounts, swapAmounts } from './swap-amounts.ts';
import { compileSwap, signedWire, splitSwapWire, SWAP_FEE_LAMPORTS, unsignedWire } from './swap-transaction.ts';
import { decodeTokenAccount, tokenAccountLength } from './token-account-data.ts';

/** About ten seconds: long enough for a person to press the button and a signer to sign, short enough to stay honest. */
const ORDER_SLOTS = 25n;
/** Results stay readable after the order's end, so that a caller who lost the answer can ask again. */
const RESULT_SLOTS = 300n;
const ORDERS_MAX = 50_000;
const SLIPPAGE_BPS_DEFAULT = 50n;
const BPS = 10_000n;
const MILLISECONDS_PER_SLOT = 400n;

type OrderRequest = {
  inputMint: string;
  outputMint: string;
  amount: bigint;
  taker: Address | null;
  slippageBps: bigint | null;
  memo?: string | null;
};

type Order = {
  requestId: string;
  pool: Pool;
  taker: Address;
  amounts: SwapAmounts;
  slippageBps: bigint;
  messageBytes: Uint8Array;
  expireSlot: bigint;
  result: Promise<ExecuteResult> | null;
};

export type Quote = { pool: Pool; amounts: SwapAmounts; slippageBps: bigint; threshold: bigint; priceImpact: number };

/** Quotes, orders and their execution, one taker at a time. */
export class SwapOrders {
  readonly #chain: Chain;
  readonly #pools: PoolRegistry;
  readonly #reference: Address;
  readonly #orders = new Map<string, Order>();
  #nonce = 0;

  constructor(chain: Chain, pools: PoolRegistry, reference: Address) {
    this.#chain = chain;
    this.#pools = pools;
    this.#reference = reference;
  }

  nextNonce(): number {
    this.#nonce = (this.#nonce + 1) % 65_536;
    return this.#nonce;
  }

  quote(request: Omit<OrderRequest, 'taker'>): Quote {
    const { pool, side } = this.#route(request.inputMint, request.outputMint);
    const { extensions } = pool.listing;
    const input = curveInput(extensions, side, request.amount);
    const output = pool.quote(side, input);
    if (output === null) throw new Refusal('INSUFFICIENT_LIQUIDITY', 'The pool does not hold enough for this size');
    const amounts = swapAmounts(extensions, side, request.amount, output);
    if (amounts.outAmount <= 0n) throw new Refusal('AMOUNT_TOO_SMALL', 'The amount is too small to buy one unit');
    const slippageBps = request.slippageBps ?? SLIPPAGE_BPS_DEFAULT;
    return {
      pool,
      amounts,
      slippageBps,
      threshold: divCeil(amounts.outAmount * (BPS - slippageBps), BPS),
      priceImpact: priceImpact(pool, side, input, output),
    };
  }

  order(request: OrderRequest): Record<string, unknown> {
    const quote = this.quote(request);
    const requestId = randomUUID();
    const { blockhash, lastValidBlockHeight } = this.#chain.latestBlockhash();
    const slot = this.#chain.slot('processed');
    const expireSlot = slot + ORDER_SLOTS;
    const { pool, amounts, slippageBps } = quote;
    const reply = {
      ...quoteFields(request, quote),
      requestId,
      lastValidBlockHeight: lastValidBlockHeight.toString(),
      expireSlot: expireSlot.toString(),
      expireAt: (BigInt(this.#chain.unixTimestamp()) + (ORDER_SLOTS * MILLISECONDS_PER_SLOT) / 1000n).toString(),
    };
    const { taker } = request;
    if (taker === null) return { ...reply, taker: null, transaction: null, rentFeeLamports: '0' };

    const rent = this.rentLamports(pool, taker, amounts.side);
    const shortfall = this.#shortfall(pool, taker, amounts, rent);
    if (shortfall !== null) return { ...reply, taker, transaction: '', rentFeeLamports: rent.toString(), ...shortfall };
    const { messageBytes } = compileSwap({
      listing: pool.listing,
      pool: pool.keypair.address,
      reference: this.#reference,
      taker,
      side: amounts.side,
      lamports: amounts.lamports,
      tokens: amounts.tokens,
      blockhash,
      nonce: this.nextNonce(),
      memo: request.memo ?? null,
    });
    this.#remember({ requestId, pool, taker, amounts, slippageBps, messageBytes, expireSlot, result: null });
    const transaction = Buffer.from(unsignedWire(messageBytes)).toString('base64');
    return { ...reply, taker, transaction, rentFeeLamports: rent.toString(), poolCertificate: pool.certificate() };
  }

  async execute(requestId: string, signed: Uint8Array): Promise<ExecuteResult> {
    const parts = splitSwapWire(signed);
    if (parts === null) return failed(EXECUTE_CODE.invalidSignedTransaction, 'The signed transaction cannot be read');
    const signature = encodeBase58(parts.takerSignature);
    const order = this.#orders.get(requestId);
    if (order === undefined) {
      // The order may be from before a restart; if its transaction landed, the caller must learn that.
      const landed = this.#chain.transaction(signature);
      if (landed !== null) return ledgerResult(landed, this.#pools);
      return failed(EXECUTE_CODE.unknownRequest, 'Order not found, it might have expired');
    }
    if (order.result !== null) return order.result;
    if (!Buffer.from(parts.messageBytes).equals(order.messageBytes)) {
      return failed(EXECUTE_CODE.messageChanged, 'The message differs from the order');
    }
    if (!verifySignature(order.taker, order.messageBytes, parts.takerSignature)) {
      return failed(EXECUTE_CODE.notFullySigned, 'The signature of the taker is missing or wrong');
    }
    order.result = order.pool.inTurn(() => this.#settle(order, parts.takerSignature, signature));
    return order.result;
  }

  /** A price moved too far is no end of the order: the price may come back before it expires. */
  async #settle(order: Order, takerSignature: Uint8Array, signature: string): Promise<ExecuteResult> {
    const { pool, amounts } = order;
    const refuse = (code: number, reason: string): ExecuteResult => {
      order.result = null;
      return failed(code, reason);
    };
    if (this.#chain.slot('processed') > order.expireSlot) return refuse(EXECUTE_CODE.quoteExpired, 'Quote expired');
    if (!pool.canReserve()) return refuse(EXECUTE_CODE.swapRejected, 'The pool is busy with other swaps');
    const input = curveInput(pool.listing.extensions, amounts.side, amounts.inAmount);
    const now = pool.quote(amounts.side, input);
    const quoted = amounts.side === 'buy' ? amounts.tokens : amounts.lamports;
    // The fee lets the pool bear a small move for the taker: it co-signs as long as its product does not fall.
    if (now === null || now < divFloor(quoted * (BPS - order.slippageBps), BPS) || !pool.admits(amounts.movement)) {
      return refuse(EXECUTE_CODE.swapRejected, 'Slippage tolerance exceeded: the price moved');
    }
    const reservation = pool.reserve(amounts.movement);
    try {
      const poolSignature = pool.keypair.sign(order.messageBytes);
      const wire = signedWire(order.messageBytes, takerSignature, poolSignature);
      const outcome = await this.#chain.submit(wire, { skipPreflight: true });
      return outcomeResult(outcome, signature, amounts, this.#chain, this.#pools);
    } finally {
      pool.forgetReserves();
      pool.release(reservation);
    }
  }

  #route(inputMint: string, outputMint: string): { pool: Pool; side: Side } {
    if (inputMint === outputMint)
      throw new Refusal('CIRCULAR_ARBITRAGE_IS_DISABLED', 'inputMint and outputMint are equal');
    const side: Side | null = inputMint === WRAPPED_SOL_MINT ? 'buy' : outputMint === WRAPPED_SOL_MINT ? 'sell' : null;
    if (side === null) throw new Refusal('NO_ROUTES_FOUND', 'No routes found: one side must be SOL');
    const mint = side === 'buy' ? outputMint : inputMint;
    const pool = this.#pools.get(mint);
    if (pool === undefined) throw new Refusal('TOKEN_NOT_TRADABLE', `The token ${mint} is not tradable`);
    return { pool, side };
  }

  /** What a buy pays for the taker's token account where there is none yet. */
  rentLamports(pool: Pool, taker: Address, side: Side): bigint {
    if (side === 'sell') return 0n;
    const { mint, tokenProgram, extensions } = pool.listing;
    const exists = this.#chain.account(associatedTokenAddress(taker, mint, tokenProgram)) !== null;
    return exists ? 0n : rentExemptLamports(tokenAccountLength(tokenProgram, extensions));
  }

  #shortfall(
    pool: Pool,
    taker: Address,
    amounts: SwapAmounts,
    rent: bigint,
  ): { errorCode: number; errorMessage: string } | null {
    const { mint, tokenProgram, extensions } = pool.listing;
    const lamports = this.#chain.account(taker)?.lamports ?? 0n;
    const account = this.#chain.account(associatedTokenAddress(taker, mint, tokenProgram));
    const tokens = account === null ? null : decodeTokenAccount(account.data);
    if (tokens?.frozen === true || (tokens === null && extensions.frozenByDefault === true)) {
      throw new Refusal('TOKEN_ACCOUNT_FROZEN', 'The token account of the taker is frozen by the issuer of the token');
    }
    const spends = SWAP_FEE_LAMPORTS + rent + (amounts.side === 'buy' ? amounts.lamports : 0n);
    const funds =
      amounts.side === 'buy' ? lamports >= amounts.lamports : tokens !== null && tokens.amount >= amounts.tokens;
    if (!funds) return { errorCode: 1, errorMessage: 'Insufficient funds' };
    const rest = lamports - spends;
    if (rest < 0n || (rest > 0n && rest < RENT_EXEMPT_EMPTY && amounts.side === 'buy')) {
      return { errorCode: 2, errorMessage: `Top up ${printLamports(RENT_EXEMPT_EMPTY - rest)} SOL for gas` };
    }
    return null;
  }

  #remember(order: Order): void {
    const slot = this.#chain.slot('processed');
    for (const [requestId, old] of this.#orders) {
      if (old.expireSlot + RESULT_SLOTS > slot && this.#orders.size < ORDERS_MAX) break;
      this.#orders.delete(requestId);
    }
    this.#orders.set(order.requestId, order);
  }
}

/** Percentage points by which the average price is worse than the pool's price before, the fee included; negative. */
function priceImpact(pool: Pool, side: Side, input: bigint, output: bigint): number {
  const { lamports, tokens } = pool.reserves();
  const fair = side === 'buy' ? (input * tokens) / lamports : (input * lamports) / tokens;
  if (fair <= 0n) return 0;
  const millionths = Number(((output - fair) * 1_000_000n) / fair);
  return millionths / 10_000;
}

function quoteFields(request: Omit<OrderRequest, 'taker'>, quote: Quote): Record<string, unknown> {
  const { pool, amounts } = quote;
  const inAmount = amounts.inAmount.toString();
  const outAmount = amounts.outAmount.toString();
  const { inputMint, outputMint } = request;
  const ammKey = pool.keypair.address;
  return {
    inputMint,
    outputMint,
    inAmount,
    outAmount,
    otherAmountThreshold: quote.threshold.toString(),
    swapMode: 'ExactIn',
    slippageBps: Number(quote.slippageBps),
    priceImpact: quote.priceImpact,
    routePlan: [
      {
        swapInfo: { ammKey, label: 'Local pool', inputMint, outputMint, inAmount, outAmount },
        percent: 100,
        bps: 10_000,
      },
    ],
    feeBps: Number(POOL_FEE_BPS),
    feeMint: inputMint,
    platformFee: null,
    signatureFeeLamports: SWAP_FEE_LAMPORTS.toString(),
    signatureFeePayer: null,
    prioritizationFeeLamports: '0',
    prioritizationFeePayer: null,
    rentFeePayer: null,
    router: 'metis',
    mode: 'manual',
    gasless: false,
  };
}

function printLamports(lamports: bigint): string {
  return (Number(lamports) / 1e9).toString();
}
