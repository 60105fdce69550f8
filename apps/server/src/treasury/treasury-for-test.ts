import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { OwnLimits, SignerLimits } from '@hunter/signer-client/signer-client';
import type { HoldReason } from '@hunter/signer-client/signer-error';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { compileMessage } from '@hunter/solana/message';
import {
  decodeTransaction,
  encodeTransaction,
  signTransaction,
  transactionFromMessage,
  transactionId,
} from '@hunter/solana/transaction';
import type { Asset } from '../ledger/journal.ts';
import { AccountsUnderTest, KeysInMemory, type RegisteredUser } from '../accounts/accounts-for-test.ts';
import { treasuryHandlers } from '../http/routes/treasury.ts';
import { openBook } from '../ledger/books.ts';
import { insertWallet } from '../ledger/wallets.ts';
import { isPool } from '../market/is-pool.ts';
import { createLog } from '../platform/log.ts';
import { systemClock } from '../platform/clock.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { BalancePushes } from './balance-pushes.ts';
import { ChainInMemory } from './chain-for-test.ts';
import type { WalletPart } from '../ledger/wallet-part.ts';
import { DepositWatch } from './deposit-watch.ts';
import type { MovementRow } from './wallet-movements.ts';
import type { Withdrawal } from './withdrawal.ts';
import {
  instructionsOf,
  type HoldPreview,
  type Proof,
  type SignedWithdrawal,
  type WithdrawalSigner,
} from './withdrawal-signer.ts';
import type { WithdrawalDeps } from './withdrawal-deps.ts';
import type { SignedTransfer, TransferSigner } from './transfers/transfer-signer.ts';
import { Transfers } from './transfers/transfers.ts';
import { Withdrawals } from './withdrawals.ts';

const log = createLog('silent');

/** Signs like the signer: the password the first time, later the withdrawal it knows; holds and refusals by wish. */
export class SignerInMemory implements WithdrawalSigner {
  readonly #keys: KeysInMemory;
  readonly #authenticated = new Set<string>();
  heldUntil: Date | null = null;
  holdReason: HoldReason = 'new-address';
  refusal: AppError | null = null;
  /** It answers once this is settled. */
  gate: Promise<void> = Promise.resolve();
  /** The withdrawals that it was asked to sign. */
  readonly asked: string[] = [];
  chosen: SignerLimits = {
    now: { dailyLamports: 2n ** 64n, delaysNew: false },
    next: null,
    dailyLamports: 500_000_000_000n,
    largeLamports: 50_000_000_000n,
  };

  constructor(keys: KeysInMemory) {
    this.#keys = keys;
  }

  async preview(): Promise<HoldPreview> {
    if (this.refusal) throw this.refusal;
    return this.heldUntil && { until: this.heldUntil, reason: this.holdReason };
  }

  async factors(): Promise<('totp' | 'passkey')[]> {
    return [];
  }

  async limits(): Promise<SignerLimits> {
    return this.chosen;
  }

  /** Looser ones wait. */
  async setLimits(_userId: string, wanted: OwnLimits, password: string | null): Promise<SignerLimits> {
    const { now } = this.chosen;
    const isLooser = wanted.dailyLamports > now.dailyLamports || (now.delaysNew && !wanted.delaysNew);
    if (isLooser && password === null) throw new AppError('WRONG_PASSWORD');
    if (isLooser) this.chosen = { ...this.chosen, next: { ...wanted, from: 1_800_000_000_000 } };
    else this.chosen = { ...this.chosen, now: wanted, next: null };
    return this.chosen;
  }

  async sign(row: Withdrawal, blockhash: string, proof: Proof | null): Promise<SignedWithdrawal> {
    this.asked.push(row.id);
    await this.gate;
    const entry = [...this.#keys.keypairs.values()].find((one) => one.keypair.address === row.fromAddress)!;
    if (this.refusal) return { kind: 'refused', refusal: this.refusal };
    const known = this.#authenticated.has(row.id);
    if (proof === null ? !known : proof.password !== entry.password) {
      return { kind: 'refused', refusal: new AppError('WRONG_PASSWORD') };
    }
    this.#authenticated.add(row.id);
    if (this.heldUntil) return { kind: 'held', until: this.heldUntil, reason: this.holdReason };
    const from = entry.keypair.address;
    const message = compileMessage({
      feePayer: from,
      recentBlockhash: blockhash,
      instructions: instructionsOf(row),
    });
    const signed = signTransaction(transactionFromMessage(message), [entry.keypair]);
    return { kind: 'signed', wire: encodeTransaction(signed), signature: transactionId(signed)! };
  }
}

/** Signs transfers like the signer; puts them off or refuses them by wish, and remembers which commits are final. */
class TransferSignerInMemory implements TransferSigner {
  readonly #keys: KeysInMemory;
  readonly final: string[] = [];
  /** It answers once this is settled. */
  gate: Promise<void> = Promise.resolve();
  answer: Exclude<SignedTransfer, { kind: 'signed' }> | null = null;
  /** The transactions that it was asked to sign. */
  readonly asked: string[] = [];

  constructor(keys: KeysInMemory) {
    this.#keys = keys;
  }

  async sign(requests: Parameters<TransferSigner['sign']>[0]): Promise<SignedTransfer[]> {
    this.asked.push(...requests.map(({ transaction }) => transaction));
    await this.gate;
    return requests.map(({ walletId, transaction }) => {
      if (this.answer) return this.answer;
      const { keypair } = this.#keys.keypairs.get(walletId)!;
      const signed = signTransaction(decodeTransaction(Buffer.from(transaction, 'base64')), [keypair]);
      return { kind: 'signed', wire: encodeTransaction(signed), signature: transactionId(signed)! };
    });
  }

  async commitsFinal(signatures: readonly string[]): Promise<void> {
    this.final.push(...signatures);
  }
}

export type CrashPoint = 'held' | 'signed' | 'recorded' | 'sent' | 'before-posting' | 'posted';

/** The world of a process that is killed: from its end on nothing that it waits for ever happens. */
function mortal(deps: WithdrawalDeps, killed: { at: CrashPoint; died: () => void }): WithdrawalDeps {
  const pass = async (point: CrashPoint): Promise<void> => {
    if (killed.at !== point) return;
    killed.died();
    await new Promise(() => {});
  };
  const { rpc, signer } = deps;
  let changes = 0;
  return {
    ...deps,
    signer: Object.assign(Object.create(signer) as WithdrawalSigner, {
      sign: async (...request: Parameters<WithdrawalSigner['sign']>) => {
        await pass('held');
        const signed = await signer.sign(...request);
        await pass('signed');
        return signed;
      },
    }),
    rpc: Object.assign(Object.create(rpc) as RpcClient, {
      sendTransaction: async (...request: Parameters<RpcClient['sendTransaction']>) => {
        await pass('recorded');
        const signature = await rpc.sendTransaction(...request);
        await pass('sent');
        return signature;
      },
      getTransactions: async (...request: Parameters<RpcClient['getTransactions']>) => {
        const transactions = await rpc.getTransactions(...request);
        if (transactions.some((one) => one !== null)) await pass('before-posting');
        return transactions;
      },
    }),
    balances: {
      // First told when the money is held, then when it is posted.
      changed: () => {
        changes += 1;
        if (changes === 2) void pass('posted');
      },
    },
  };
}

/** Accounts and treasury behind HTTP, on a database of its own and a chain in memory. */
export class TreasuryUnderTest {
  readonly chain = new ChainInMemory();
  readonly bus = new LiveBus();
  readonly told: { channel: string; userId: string; data: unknown }[] = [];
  readonly alarms: string[] = [];
  /** What issuers took, which alarms nobody. */
  readonly taken: string[] = [];
  /** Of the tokens that the market knows. */
  readonly symbols = new Map<string, string>();
  readonly signer: SignerInMemory;
  readonly transferSigner: TransferSignerInMemory;
  accounts!: AccountsUnderTest;
  withdrawals!: Withdrawals;
  transfers!: Transfers;
  deposits!: DepositWatch;
  readonly #keys = new KeysInMemory();

  private constructor() {
    this.signer = new SignerInMemory(this.#keys);
    this.transferSigner = new TransferSignerInMemory(this.#keys);
    this.bus.subscribe((channel, userId, data) => this.told.push({ channel, userId, data }));
  }

  static async start(): Promise<TreasuryUnderTest> {
    const test = new TreasuryUnderTest();
    test.accounts = await AccountsUnderTest.start({
      keys: test.#keys,
      handlers: (accounts) =>
        treasuryHandlers({
          accounts: accounts.accounts,
          deps: test.#depsOf(accounts),
          // Looked up at every call, so that a test can put another process in the place of one that died.
          withdrawals: {
            request: (...input) => test.withdrawals.request(...input),
            cancel: (...input) => test.withdrawals.cancel(...input),
            ofLink: (...input) => test.withdrawals.ofLink(...input),
            cancelByLink: (...input) => test.withdrawals.cancelByLink(...input),
          },
        }),
    });
    test.startWithdrawals();
    test.startTransfers();
    await test.startDeposits();
    return test;
  }

  /** A new process takes over; the old one is left where it stands, as after kill -9. */
  startWithdrawals(killed?: { at: CrashPoint; died: () => void }): void {
    const deps = this.#depsOf(this.accounts);
    this.withdrawals = new Withdrawals(killed ? mortal(deps, killed) : deps);
    this.withdrawals.start();
  }

  #depsOf({ database, clock, accounts }: AccountsUnderTest): WithdrawalDeps {
    return {
      database,
      rpc: this.chain.rpc,
      signer: this.signer,
      balances: new BalancePushes(database, this.bus, systemClock, log),
      symbols: async () => this.symbols,
      isPool: (address) => isPool(database, address),
      tell: accounts.tell,
      clock,
      log,
    };
  }

  /** A new process takes over, with a node that may do other things than the chain's own. */
  startTransfers(rpc: RpcClient = this.chain.rpc): void {
    const { database } = this.accounts;
    const balances = new BalancePushes(database, this.bus, systemClock, log);
    this.transfers = new Transfers({ database, rpc, signer: this.transferSigner, balances, clock: systemClock, log });
    this.transfers.start();
  }

  async startDeposits(part?: WalletPart): Promise<void> {
    const { database } = this.accounts;
    const deps = {
      database,
      rpc: this.chain.rpc,
      subscriptions: this.chain.subscriptions,
      symbols: async () => this.symbols,
      bus: this.bus,
      balances: new BalancePushes(database, this.bus, systemClock, log),
      alarm: (row: MovementRow, taker: 'key' | 'issuer') =>
        void (taker === 'issuer' ? this.taken : this.alarms).push(row.signature),
      tell: this.accounts.accounts.tell,
      clock: systemClock,
      log,
    };
    this.deposits = new DepositWatch(deps, part);
    await this.deposits.start();
  }

  async stop(): Promise<void> {
    await this.deposits.stop();
    await this.withdrawals.stop();
    await this.transfers.stop();
    await this.accounts.stop();
  }

  async fundedUser(email: string, lamports: bigint): Promise<RegisteredUser> {
    const user = await this.accounts.register(email);
    await this.deposits.add(user.wallet.address as Address);
    this.chain.airdrop(user.wallet.address as Address, lamports);
    await this.until(async () => (await this.sol(user)).cash === lamports);
    return user;
  }

  /** The wallet of a strategy with its creator's book, watched like any other. */
  async strategyWallet(creator: RegisteredUser): Promise<{ walletId: string; address: Address; bookId: string }> {
    const { database } = this.accounts;
    const { userId } = creator;
    const walletId = randomUUID();
    const { address, sealedKey } = await this.#keys.createWallet({ userId, walletId, password: creator.password });
    await insertWallet(database, { id: walletId, userId, kind: 'strategy', address, sealedKey });
    const book = await openBook(database, { userId, walletId, kind: 'strategy', name: 'Strategy' });
    await this.deposits.add(address);
    return { walletId, address, bookId: book.id };
  }

  /** Free amounts of the books of a wallet. */
  booksOf(walletId: string): Promise<{ kind: string; asset: Asset; amount: bigint }[]> {
    return this.accounts.database.query(
      `select b.kind, a.asset, a.amount from balance a join book b on b.id = a.book_id
       where b.wallet_id = $1 and a.account = 'cash' and a.amount > 0 order by b.kind, a.asset = 'SOL' desc`,
      [walletId],
    );
  }

  async sol(user: RegisteredUser): Promise<{ cash: bigint; held: bigint }> {
    const [row] = await this.accounts.database.query<{ cash: bigint; held: bigint }>(
      `select coalesce(sum(amount) filter (where account = 'cash'), 0) as cash,
              coalesce(sum(amount) filter (where account = 'held'), 0) as held
       from balance a join book b on b.id = a.book_id join wallet w on w.id = b.wallet_id
       where w.user_id = $1 and w.kind = 'personal' and asset = 'SOL'`,
      [user.userId],
    );
    return row!;
  }

  /** The books against the chain, to the lamport. */
  async difference(user: RegisteredUser): Promise<bigint> {
    const { cash, held } = await this.sol(user);
    return cash + held - (this.chain.lamports.get(user.wallet.address as Address) ?? 0n);
  }

  withdraw(
    user: RegisteredUser,
    fields: { toWallet: string; amount: string; password?: string; tokenContractAddress?: string; id?: string },
    key?: string,
  ) {
    return this.accounts.post(
      'user/withdrawal',
      { password: user.password, ...fields },
      { token: user.token, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    );
  }

  /** Slots pass while the test waits, so that what is confirmed becomes final. */
  async until(isSo: () => Promise<boolean> | boolean, slotsPerRound = 1): Promise<void> {
    for (let round = 0; round < 600; round += 1) {
      if (await isSo()) return;
      this.chain.advance(slotsPerRound);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('what the test waits for did not happen');
  }
}
