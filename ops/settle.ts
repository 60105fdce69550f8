import { parseArgs } from 'node:util';
import { isAddress } from '@hunter/solana/address';
import { RpcClient } from '@hunter/solana/rpc-client';
import { SOL } from '../apps/server/src/ledger/journal.ts';
import { compareWallet } from '../apps/server/src/trading/compare-wallet.ts';
import {
  approveSettlement,
  loadOpenAlarms,
  proposeSettlement,
  SettlementRefused,
  type Compare,
  type SettlementView,
} from '../apps/server/src/trading/settle-difference.ts';
import { loadWalletsInTransfer } from '../apps/server/src/treasury/transfers/transfer-store.ts';
import { endpoint, fail, openDatabase, say, setting } from './connection.ts';

const USAGE = `Usage: npm run settle                                             lists open alarms and what was proposed
       npm run settle -- propose WALLET ASSET --difference=N --cause TEXT --operator NAME [--book ID]
       npm run settle -- approve ID --operator NAME
N is the difference that the list shows; a settlement is refused where it is another one by then.
SETTLEMENT_OPERATORS=2 needs a second person for every settlement.`;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    difference: { type: 'string' },
    cause: { type: 'string' },
    operator: { type: 'string' },
    book: { type: 'string' },
  },
});
const [verb, ...rest] = positionals;
const operators = setting('SETTLEMENT_OPERATORS') ?? '1';
if (operators !== '1' && operators !== '2') fail(`SETTLEMENT_OPERATORS must be 1 or 2, but is "${operators}".`);
const operatorsNeeded = operators === '2' ? 2 : 1;
const operator = values.operator?.trim() ?? '';
if (verb !== undefined && operator === '') fail(`--operator is needed.\n${USAGE}`);
const asset = verb === 'propose' ? (rest[1] ?? '') : SOL;
if (asset !== SOL && !isAddress(asset)) fail(`ASSET is SOL or the address of a mint.\n${USAGE}`);

const database = await openDatabase();
try {
  if (verb === undefined) {
    const alarms = await loadOpenAlarms(database);
    for (const { walletId, asset, books, chain, since, proposal } of alarms) {
      say(
        `${walletId} ${asset}: books ${books}, chain ${chain}, difference ${chain - books}, since ${since.toISOString()}`,
      );
      if (proposal)
        say(`  settlement ${proposal.id} was proposed by ${proposal.by} and not approved yet: ${proposal.cause}`);
    }
    if (alarms.length === 0) say('Books and chain agree: no open alarm.');
  } else if (
    verb === 'propose' &&
    rest.length === 2 &&
    values.cause?.trim() &&
    /^-?\d{1,20}$/.test(values.difference ?? '')
  ) {
    const [walletId] = rest as [string, string];
    const { cause, book: bookId = null } = values;
    if (![walletId, bookId ?? walletId].every((id) => UUID.test(id))) fail('Wallets and books are named by their ids.');
    const proposal = { walletId, asset, difference: BigInt(values.difference!), bookId, cause, operator };
    report(await proposeSettlement(database, compareNow(), proposal, { operatorsNeeded }));
  } else if (verb === 'approve' && rest.length === 1 && /^\d{1,18}$/.test(rest[0]!)) {
    report(await approveSettlement(database, compareNow(), BigInt(rest[0]!), operator));
  } else fail(`Neither a list, a whole proposal nor an approval of one id.\n${USAGE}`);
} catch (error) {
  if (!(error instanceof SettlementRefused)) throw error;
  fail(`Refused: ${error.message}.`);
} finally {
  await database.close();
}

function compareNow(): Compare {
  const rpc = new RpcClient({ url: endpoint('rpc', 'SOLANA_RPC_URL') });
  return (sql, wallet) => compareWallet({ sql, rpc, inTransfer: loadWalletsInTransfer }, wallet);
}

function report({ id, amount, isPosted }: SettlementView): void {
  if (isPosted) say(`Settlement ${id} is posted: ${amount} base units. The next pass compares the wallet again.`);
  else
    say(
      `Settlement ${id} of ${amount} base units is proposed; another operator approves it: npm run settle -- approve ${id} --operator NAME`,
    );
}
