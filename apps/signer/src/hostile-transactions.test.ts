import { randomBytes } from 'node:crypto';
import { type Address, addressBytes } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { setComputeUnitLimit, setComputeUnitPrice } from '@hunter/solana/compute-budget-program';
import { type Instruction, readonlyAccount, writableAccount, writableSigner } from '@hunter/solana/instruction';
import { Keypair, verifySignature } from '@hunter/solana/keypair';
import { compileMessage, type Message } from '@hunter/solana/message';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { transferSol } from '@hunter/solana/system-program';
import {
  closeTokenAccount,
  createAssociatedTokenAccountIdempotent,
  transferChecked,
} from '@hunter/solana/token-program';
import {
  decodeTransactionBase64,
  encodeTransaction,
  encodeTransactionBase64,
  signTransaction,
  transactionFromMessage,
} from '@hunter/solana/transaction';
import { beforeAll, describe, expect, it } from 'vitest';
import { aSigner, type TestSigner } from './fixtures/a-signer.ts';

const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 500);
const SPEND = 1_000_000_000n;
const TOKENS = 5_000_000n;
const PASSWORD = 'correct horse battery';
const owner = { userId: 'user-1', walletId: 'wallet-1' };

let test: TestSigner;
let wallet: { address: Address; envelope: string };
const pool = Keypair.generate();
const mint = Keypair.generate().address;
const attacker = Keypair.generate();
let nextWithdrawal = 0;

beforeAll(async () => {
  test = aSigner({ aggregators: ['JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'] });
  const created = await test.signer.createWallet(owner, PASSWORD);
  wallet = { address: created.address as Address, envelope: created.envelope };
});

type Scene = {
  feePayer: Address;
  instructions: Instruction[];
  policy: Record<string, unknown>;
  version: 'legacy' | 0;
  /** Applied to the compiled message or to the finished bytes, for what no honest builder writes. */
  message?: (message: Message) => Message;
  wire?: (wire: Uint8Array) => Uint8Array;
  signers?: Keypair[];
};

function buy(): Scene {
  const own = wallet.address;
  return {
    feePayer: own,
    version: Math.random() < 0.5 ? 0 : 'legacy',
    instructions: [
      createAssociatedTokenAccountIdempotent({ payer: own, owner: own, mint }),
      transferSol({ from: own, to: pool.address, lamports: SPEND }),
      transferChecked({
        source: associatedTokenAddress(pool.address, mint),
        mint,
        destination: associatedTokenAddress(own, mint),
        owner: pool.address,
        amount: TOKENS,
        decimals: 6,
        references: [pool.address],
      }),
    ],
    policy: {
      kind: 'swap',
      mint,
      tokenProgram: TOKEN_PROGRAM,
      side: 'buy',
      maxLamportsOut: String(SPEND + 2_100_000n),
      maxTokensOut: '0',
      minTokensIn: String(TOKENS),
    },
    signers: [pool],
  };
}

function sell(): Scene {
  const own = wallet.address;
  return {
    feePayer: own,
    version: Math.random() < 0.5 ? 0 : 'legacy',
    instructions: [
      transferChecked({
        source: associatedTokenAddress(own, mint),
        mint,
        destination: associatedTokenAddress(pool.address, mint),
        owner: own,
        amount: TOKENS,
        decimals: 6,
        references: [pool.address],
      }),
      transferSol({ from: pool.address, to: own, lamports: SPEND }),
    ],
    policy: {
      kind: 'swap',
      mint,
      tokenProgram: TOKEN_PROGRAM,
      side: 'sell',
      maxLamportsOut: '50000',
      maxTokensOut: String(TOKENS),
      minLamportsIn: String(SPEND),
      counterparties: [pool.address],
    },
    signers: [pool],
  };
}

function close(): Scene {
  const own = wallet.address;
  return {
    feePayer: own,
    version: 'legacy',
    instructions: [closeTokenAccount({ account: associatedTokenAddress(own, mint), destination: own, owner: own })],
    policy: { kind: 'close-token-account', mint, tokenProgram: TOKEN_PROGRAM },
  };
}

function withdrawal(): Scene {
  const own = wallet.address;
  const destination = Keypair.generate().address;
  nextWithdrawal += 1;
  return {
    feePayer: own,
    version: 'legacy',
    instructions: [transferSol({ from: own, to: destination, lamports: 1_000n })],
    policy: {
      kind: 'withdrawal',
      withdrawalId: `w-${nextWithdrawal}`,
      destination,
      lamports: '1000',
      password: PASSWORD,
      requestedAt: 1,
    },
  };
}

function transactionOf(scene: Scene): string {
  const { feePayer, instructions, version } = scene;
  let message = compileMessage({ feePayer, instructions, version, recentBlockhash: Keypair.generate().address });
  if (scene.message !== undefined) message = scene.message(message);
  const transaction = transactionFromMessage(message);
  const present = (scene.signers ?? []).filter((signer) => {
    const index = message.staticAccounts.indexOf(signer.address);
    return index >= 0 && index < message.header.requiredSignatures;
  });
  const signed = signTransaction(transaction, present);
  if (scene.wire === undefined) return encodeTransactionBase64(signed);
  return Buffer.from(scene.wire(encodeTransaction(signed))).toString('base64');
}

const request = (scene: Scene) => ({
  ...owner,
  envelope: wallet.envelope,
  transaction: transactionOf(scene),
  policy: scene.policy,
});

const anyScene = (seed: number): Scene => [buy, sell, close, withdrawal][seed % 4]!();
const instruction = (program: Address, accounts: Instruction['accounts'], data: number[]): Instruction => ({
  program,
  accounts,
  data: Uint8Array.from(data),
});
const add = (scene: Scene, extra: Instruction, seed: number): Scene => ({
  ...scene,
  instructions: seed % 2 === 0 ? [...scene.instructions, extra] : [extra, ...scene.instructions],
});
const u64 = (value: bigint): number[] => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return [...bytes];
};
const ownTokens = (): Address => associatedTokenAddress(wallet.address, mint);
const signerRole = (): Instruction['accounts'][number] => ({ address: wallet.address, signer: true, writable: true });

/** Each class of attack the signer must refuse, over every honest scene it can be mixed into. */
const attacks: Record<string, (seed: number) => Scene> = {
  'SetAuthority over the wallet’s tokens': (seed) =>
    add(
      anyScene(seed),
      instruction(
        TOKEN_PROGRAM,
        [writableAccount(ownTokens()), signerRole()],
        [6, 2, 1, ...addressBytes(attacker.address)],
      ),
      seed,
    ),
  'Approve and ApproveChecked': (seed) =>
    add(
      anyScene(seed),
      seed % 2 === 0
        ? instruction(
            TOKEN_PROGRAM,
            [writableAccount(ownTokens()), readonlyAccount(attacker.address), signerRole()],
            [4, ...u64(1n)],
          )
        : instruction(
            TOKEN_PROGRAM,
            [writableAccount(ownTokens()), readonlyAccount(mint), readonlyAccount(attacker.address), signerRole()],
            [13, ...u64(1n), 6],
          ),
      seed,
    ),
  'Assign and other system instructions': (seed) => {
    const kinds = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const data = [kinds[seed % kinds.length]!, 0, 0, 0, ...addressBytes(attacker.address)];
    return add(
      anyScene(seed),
      instruction(SYSTEM_PROGRAM, [signerRole(), writableAccount(attacker.address)], data),
      seed,
    );
  },
  'a durable nonce advanced first': (seed) => {
    const nonce = instruction(
      SYSTEM_PROGRAM,
      [writableAccount(attacker.address), readonlyAccount(mint), signerRole()],
      [4, 0, 0, 0],
    );
    const scene = anyScene(seed);
    return { ...scene, instructions: [nonce, ...scene.instructions] };
  },
  'another fee payer': (seed) => ({ ...anyScene(seed), feePayer: attacker.address, signers: [attacker, pool] }),
  'amounts beyond the bounds': (seed) => {
    const extra = BigInt(1 + (seed % 1000)) * 1_000_000n;
    const own = wallet.address;
    if (seed % 3 === 0) {
      const scene = buy();
      scene.instructions[1] = transferSol({ from: own, to: pool.address, lamports: SPEND + extra });
      return scene;
    }
    if (seed % 3 === 1) {
      const scene = sell();
      scene.policy.maxTokensOut = String(TOKENS - 1n);
      return scene;
    }
    const scene = withdrawal();
    scene.instructions[0] = transferSol({ from: own, to: scene.policy.destination as Address, lamports: 1_001n });
    return scene;
  },
  'a ruinous priority fee': (seed) => {
    const scene = anyScene(seed);
    const price = setComputeUnitPrice(10_000_000_000n + BigInt(seed));
    return { ...scene, instructions: [setComputeUnitLimit(1_400_000), price, ...scene.instructions] };
  },
  'an unknown program': (seed) =>
    add(anyScene(seed), instruction(Keypair.generate().address, [signerRole()], [...randomBytes(8)]), seed),
  'a hidden second transfer': (seed) => {
    const lamports = BigInt(1 + seed);
    return add(anyScene(seed), transferSol({ from: wallet.address, to: attacker.address, lamports }), seed);
  },
  'a hidden second token transfer': (seed) =>
    add(
      anyScene(seed),
      transferChecked({
        source: ownTokens(),
        mint,
        destination: associatedTokenAddress(attacker.address, mint),
        owner: wallet.address,
        amount: 1n,
        decimals: 6,
      }),
      seed,
    ),
  'tokens of another mint': (seed) => {
    const other = Keypair.generate().address;
    return add(
      seed % 2 === 0 ? sell() : buy(),
      transferChecked({
        source: associatedTokenAddress(wallet.address, other),
        mint: other,
        destination: associatedTokenAddress(pool.address, other),
        owner: wallet.address,
        amount: 1n,
        decimals: 6,
      }),
      seed,
    );
  },
  'an unchecked transfer, burn or mint': (seed) => {
    const kinds = [3, 8, 7, 14, 15, 17, 20, 26];
    const data = [kinds[seed % kinds.length]!, ...u64(1n)];
    const accounts = [writableAccount(ownTokens()), writableAccount(pool.address), signerRole()];
    return add(anyScene(seed), instruction(TOKEN_PROGRAM, accounts, data), seed);
  },
  'the other token program': (seed) => {
    const scene = seed % 2 === 0 ? buy() : sell();
    return {
      ...scene,
      instructions: scene.instructions.map((row) =>
        row.program === TOKEN_PROGRAM ? { ...row, program: TOKEN_2022_PROGRAM } : row,
      ),
    };
  },
  'rent returned to somebody else': (seed) => {
    const scene = seed % 2 === 0 ? close() : sell();
    const theft = closeTokenAccount({ account: ownTokens(), destination: attacker.address, owner: wallet.address });
    return { ...scene, instructions: seed % 2 === 0 ? [theft] : [...scene.instructions, theft] };
  },
  'a token account for somebody else at our cost': () => {
    const scene = buy();
    scene.instructions[0] = createAssociatedTokenAccountIdempotent({
      payer: wallet.address,
      owner: attacker.address,
      mint,
    });
    return scene;
  },
  'bought tokens delivered to somebody else': (seed) => {
    const scene = buy();
    const destination = seed % 2 === 0 ? attacker.address : associatedTokenAddress(attacker.address, mint);
    scene.instructions[2] = transferChecked({
      source: associatedTokenAddress(pool.address, mint),
      mint,
      destination,
      owner: pool.address,
      amount: TOKENS,
      decimals: 6,
    });
    return scene;
  },
  'nothing or too little in return': (seed) => {
    const scene = seed % 2 === 0 ? buy() : sell();
    if (seed % 4 < 2) return { ...scene, instructions: scene.instructions.slice(0, -1), policy: { ...scene.policy } };
    const key = scene.policy.side === 'buy' ? 'minTokensIn' : 'minLamportsIn';
    return { ...scene, policy: { ...scene.policy, [key]: String(SPEND * 10n) } };
  },
  'a withdrawal to another address': () => {
    const scene = withdrawal();
    scene.instructions[0] = transferSol({ from: wallet.address, to: attacker.address, lamports: 1_000n });
    return scene;
  },
  'a withdrawal with a wrong or missing password': (seed) => {
    const scene = withdrawal();
    if (seed % 2 === 0) delete scene.policy.password;
    // One wrong try per wallet would soon lock it and hide the other attacks, so most of these come without any.
    else scene.policy.password = 42;
    return scene;
  },
  'the wallet as a further signer of a multisig transfer': () => {
    const scene = buy();
    scene.instructions[2]!.accounts.push(signerRole());
    return scene;
  },
  'lookup tables': (seed) => ({
    ...anyScene(seed),
    version: 0,
    message: (message) => ({
      ...message,
      lookups: [{ table: attacker.address, writableIndexes: seed % 2 === 0 ? [1] : [], readonlyIndexes: [0, 2] }],
    }),
  }),
  'a destination hidden in a lookup table': () => {
    const scene = buy();
    return {
      ...scene,
      version: 0,
      message: (message) => ({
        ...message,
        lookups: [{ table: attacker.address, writableIndexes: [0], readonlyIndexes: [] }],
        instructions: message.instructions.map((row, index) =>
          index === 1 ? { ...row, accountIndexes: [row.accountIndexes[0]!, message.staticAccounts.length] } : row,
        ),
      }),
    };
  },
  'an aggregator without the bounds of a simulation': (seed) => {
    const scene = anyScene(seed);
    const jupiter = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address;
    const policy =
      seed % 2 === 0
        ? scene.policy
        : { ...scene.policy, simulation: { lamportsOut: String(SPEND * 2n), tokensOut: String(TOKENS + 1n) } };
    return add({ ...scene, policy }, instruction(jupiter, [signerRole()], [...randomBytes(24)]), seed);
  },
  'the wallet listed twice': (seed) => ({
    ...anyScene(seed),
    message: (message) => ({
      ...message,
      staticAccounts: [...message.staticAccounts, wallet.address],
      header: { ...message.header, readonlyUnsigned: message.header.readonlyUnsigned + 1 },
    }),
  }),
  'a program or account index out of range': (seed) => ({
    ...anyScene(seed),
    message: (message) => ({
      ...message,
      instructions: message.instructions.map((row) =>
        seed % 2 === 0 ? { ...row, programIndex: 200 } : { ...row, accountIndexes: [...row.accountIndexes, 222] },
      ),
    }),
  }),
  'bytes cut short': (seed) => ({
    ...anyScene(seed),
    wire: (wire) => wire.subarray(0, 1 + ((seed * 37) % (wire.length - 1))),
  }),
  'bytes added at the end': (seed) => ({
    ...anyScene(seed),
    wire: (wire) => Buffer.concat([wire, Buffer.alloc(1 + (seed % 40))]),
  }),
  'a longer form of a length': (seed) => ({
    ...anyScene(seed),
    wire: (wire) => Buffer.concat([Uint8Array.of(wire[0]! | 0x80, 0), wire.subarray(1)]),
  }),
  'another message version': (seed) => ({
    ...anyScene(seed),
    version: 0,
    wire: (wire) => {
      const changed = Uint8Array.from(wire);
      changed[1 + changed[0]! * 64] = 0x81 + (seed % 100);
      return changed;
    },
  }),
  'a policy that is none': (seed) => {
    const scene = anyScene(seed);
    const broken = [
      {},
      { ...scene.policy, kind: 'anything' },
      { ...scene.policy, maxLamportsOut: '-1', lamports: '1.5', mint: 'x' },
      { ...scene.policy, maxTokensOut: 5, lamports: 1000, tokenProgram: SYSTEM_PROGRAM },
    ];
    return { ...scene, policy: broken[seed % broken.length]! };
  },
  'a sale that sends lamports to a stranger': (seed) =>
    add(sell(), transferSol({ from: wallet.address, to: attacker.address, lamports: 1n }), seed),
  'lamports sent on by a third party under our signature': (seed) =>
    add(
      anyScene(seed),
      instruction(
        SYSTEM_PROGRAM,
        [writableSigner(pool.address), writableAccount(attacker.address)],
        [2, 0, 0, 0, ...u64(1n)],
      ),
      seed,
    ),
};

describe('the signer against hostile transactions', () => {
  it('signs each honest transaction, leaving the slots of others untouched', async () => {
    const scenes = [buy(), sell(), close(), withdrawal()];
    const requests = scenes.map(request);
    const outcomes = await test.signer.sign(requests);
    for (const [index, outcome] of outcomes.entries()) {
      if ('denied' in outcome) throw new Error(`${index}: ${JSON.stringify(outcome.denied)}`);
      const before = decodeTransactionBase64(requests[index]!.transaction);
      const after = decodeTransactionBase64(outcome.signedTransaction);
      expect(verifySignature(wallet.address, after.messageBytes, after.signatures[0]!)).toBe(true);
      expect(after.signatures.slice(1)).toEqual(before.signatures.slice(1));
      expect(after.messageBytes).toEqual(before.messageBytes);
    }
  });

  it('signs an aggregator swap only within the bounds of its simulation', async () => {
    const scene = buy();
    const jupiter = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address;
    scene.instructions = [instruction(jupiter, [signerRole()], [1, 2, 3])];
    scene.policy.simulation = { lamportsOut: String(SPEND), tokensOut: '0' };
    const [outcome] = await test.signer.sign([request(scene)]);
    expect(outcome).toHaveProperty('signature');
  });

  it(`denies all of ${REQUESTS} hostile requests`, async () => {
    const names = Object.keys(attacks);
    const scenes = Array.from({ length: REQUESTS }, (_, seed) => {
      const name = names[seed % names.length]!;
      return { name, seed, request: request(attacks[name]!(Math.floor(seed / names.length))) };
    });
    const outcomes = await test.signer.sign(scenes.map((scene) => scene.request));
    const signed = scenes.filter((_, index) => !('denied' in outcomes[index]!));
    expect(signed.map((scene) => `${scene.name} #${scene.seed}`)).toEqual([]);
    // None of them may owe its refusal to anything but what was hostile in it.
    const codes = new Set(outcomes.map((outcome) => ('denied' in outcome ? outcome.denied.code : null)));
    for (const unrelated of ['ENVELOPE_INVALID', 'ENVELOPE_OUTDATED', 'KILL_SWITCH', 'TOO_MANY_TRIES'] as const) {
      expect(codes).not.toContain(unrelated);
    }
    expect(outcomes).toHaveLength(REQUESTS);
  });

  it('never signs a transaction with a single byte changed under the same bounds, unless it still keeps them', async () => {
    // Flipping bytes of a blockhash or a reference is harmless; whatever is signed must pay the same parties.
    const scene = { ...buy(), version: 'legacy' as const };
    const wire = Buffer.from(transactionOf(scene), 'base64');
    const requests = Array.from({ length: wire.length }, (_, position) => {
      const changed = Buffer.from(wire);
      changed[position]! ^= 1 << (position % 8);
      return { ...request(scene), transaction: changed.toString('base64') };
    });
    const outcomes = await test.signer.sign(requests);
    for (const outcome of outcomes) {
      if ('denied' in outcome) continue;
      const { message } = decodeTransactionBase64(outcome.signedTransaction);
      expect(message.staticAccounts[0]).toBe(wallet.address);
      for (const row of message.instructions) {
        if (message.staticAccounts[row.programIndex] !== SYSTEM_PROGRAM) continue;
        expect(Buffer.from(row.data).readBigUInt64LE(4)).toBeLessThanOrEqual(SPEND + 100_000n);
      }
    }
  });
});
