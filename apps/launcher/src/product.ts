import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from './bare-environment.ts';
import { ChildRecord } from './child-record.ts';
import { childService, type ChildOptions } from './child-service.ts';
import { compiledFolder } from './compiled-folder.ts';
import type { Configuration } from './configuration.ts';
import type { Endpoints } from './endpoints.ts';
import { writeOperatorAccess } from './operator-access.ts';
import { withoutNetwork } from './no-network.ts';
import { chooseUsers, giveFile, giveFolder, refuseSystemPort, type OwnUsers } from './own-users.ts';
import { postgresService } from './postgres-service.ts';
import type { ServerProcess } from './processes.ts';
import type { Ports } from './ports.ts';
import { writeOwnFile } from './own-file.ts';
import type { ReadyFacts, Service } from './service.ts';
import { signerFlags } from './signer-flags.ts';
import { fitsSocketPath } from './socket-path.ts';
import { StartError } from './start-error.ts';
import { venueKey, venueKeyFile } from './venue-key.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export type ProductInput = {
  /** The processes of the server; one where nothing is said. */
  readonly processes?: readonly ServerProcess[];
  readonly configuration: Configuration;
  readonly ports: Ports;
  /** What the server inherits; the other parts see only what they need. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly childrenFile: string;
  readonly report: (line: string) => void;
  /** Set while the past of a first start is being made. */
  readonly past?: { readonly webPort: number; readonly onProcess: (name: string, child: ChildProcess) => void };
};

/** How long a part may take to stop, beside what a server goes on serving for. */
const STOP_MS = 10_000;

type PartName = 'localnet' | 'signer' | 'server';

/** A part that is a Node process of its own. */
export type ProductPart = Pick<ChildOptions, 'name' | 'needs' | 'uses' | 'command' | 'drainMs' | 'goesFirst'>;

/** The parts of the product, each after those it needs. */
export function productServices(input: ProductInput): Service[] {
  const { past } = input;
  const { dataDirectory, databaseUrl } = input.configuration;
  const record = new ChildRecord(input.childrenFile);
  const children = productParts(input).map((part) =>
    childService({
      ...part,
      ...(past === undefined ? {} : { onProcess: (child: ChildProcess) => past.onProcess(part.name, child) }),
      logFile: join(dataDirectory, 'logs', `${part.name}.log`),
      report: input.report,
      record,
      directory: root,
    }),
  );
  if (databaseUrl !== undefined) return children;
  const folder = join(dataDirectory, 'postgres');
  return [postgresService({ folder, logFile: join(dataDirectory, 'logs', 'postgres.log') }), ...children];
}

export function productParts(input: ProductInput): ProductPart[] {
  const { configuration, ports, inherited, report, processes, past } = input;
  const { dataDirectory, chain, mode, chainId } = configuration;
  const bare = bareEnvironment(inherited, 'NODE_COMPILE_CACHE', 'NODE_OPTIONS');
  // The signer's own settings, its operator's token above all, are not for the process that it guards against.
  const isForSigner = ([name]: [string, string]): boolean => name.startsWith('SIGNER_');
  const signerSettings = Object.fromEntries(Object.entries(inherited).filter(isForSigner));
  const serverSettings = Object.fromEntries(Object.entries(inherited).filter((entry) => !isForSigner(entry)));
  const users = chooseUsers(root, dataDirectory, report);
  if (users !== null) refuseSystemPort(ports.web);
  const socket = users === null ? signerSocket(dataDirectory) : sharedSocket(dataDirectory, users);
  const token = newToken();
  // Releasing the kill switch and rotating keys takes a token that the server never sees.
  const operatorToken = signerSettings['SIGNER_OPERATOR_TOKEN'] ?? newToken();
  const signerNamespace = withoutNetwork(users?.signer ?? null);
  if (signerNamespace === null) {
    report('signer    this system gives it no network namespace of its own, so it could open connections');
  }
  const part = (
    name: PartName,
    needs: readonly string[],
    environment: (facts: ReadonlyMap<string, ReadyFacts>) => Record<string, string>,
    label: string = name,
  ): ProductPart => ({
    name: label,
    needs,
    // A server that drains still trades; the two do not use each other.
    uses: name === 'server' ? ['signer', ...(chain.kind === 'embedded' ? ['localnet'] : [])] : [],
    // Everybody waits for the chain, most of all when it has started again, and it needs little.
    goesFirst: name === 'localnet',
    drainMs: STOP_MS + (name === 'server' ? (Number(inherited['DRAIN_SECONDS']) || 0) * 1000 : 0),
    command: (facts) => {
      const compiled = compiledFolder(root, name, users?.[name] ?? null, report);
      const writable = [join(dataDirectory, 'signer'), dirname(socket), ...(compiled === null ? [] : [compiled])];
      const flags = name === 'signer' ? signerFlags(root, writable) : [];
      const program = name === 'server' && past !== undefined ? 'past-main' : 'main';
      const own = {
        args: [...flags, name === 'signer' ? 'apps/signer/src/main.ts' : `apps/${name}/dist/${program}.js`],
        environment: { ...environment(facts), ...(compiled === null ? {} : { NODE_COMPILE_CACHE: compiled }) },
      };
      const isNamespaced = name === 'signer' && signerNamespace !== null;
      const through = isNamespaced ? { through: signerNamespace } : {};
      if (users === null) return { ...own, ...through };
      handOver(name, dataDirectory, users);
      return { ...own, ...(isNamespaced ? through : { user: users[name] }) };
    },
  });

  const parts: ProductPart[] = [];
  if (chain.kind === 'embedded') {
    parts.push(
      part('localnet', [], () => ({
        ...bare,
        DATA_DIR: folderWithVenueKey(dataDirectory),
        LOCALNET_PORT: String(ports.rpc),
        LOCALNET_VENUE_PORT: String(ports.venue),
        LOCALNET_MARKET: chain.market ? 'on' : 'off',
        ...(chain.marketSeed === undefined ? {} : { MARKET_SEED: chain.marketSeed }),
        ...(chain.tradesPerSecond === undefined ? {} : { MARKET_TRADES_PER_SECOND: chain.tradesPerSecond }),
        ...(chain.pastTrades === undefined ? {} : { MARKET_PAST_TRADES: chain.pastTrades }),
        ...(chain.historyGb === undefined ? {} : { LOCALNET_HISTORY_GB: chain.historyGb }),
        ...(past === undefined ? {} : { LOCALNET_PAST_WEB: webFromHere(past.webPort, '127.0.0.1') }),
        ...(chain.people && chain.market ? { LOCALNET_PEOPLE_WEB: webFromHere(ports.web, inherited['HOST']) } : {}),
      })),
    );
  }
  parts.push(
    part('signer', [], () => {
      writeOperatorAccess(dataDirectory, { signerSocket: socket, signerToken: operatorToken });
      if (users !== null && chain.kind === 'embedded') handOver('localnet', dataDirectory, users);
      return {
        ...bare,
        ...signerSettings,
        DATA_DIR: ownFolder(dataDirectory, 'signer'),
        SIGNER_SOCKET: socket,
        ...(users === null ? {} : { SIGNER_SOCKET_SHARED: 'yes' }),
        ...(past === undefined ? {} : { SIGNER_PAST: 'yes' }),
        SIGNER_TOKEN: token,
        SIGNER_OPERATOR_TOKEN: operatorToken,
        SIGNER_ENVIRONMENT: `${mode}-${chainId}`,
        // Who runs the embedded chain is alone with play money: nobody is there to notice a change in time.
        ...(chain.kind === 'embedded'
          ? { SIGNER_CHANGE_DELAY_SECONDS: signerSettings['SIGNER_CHANGE_DELAY_SECONDS'] ?? '0' }
          : {}),
        SIGNER_ORIGINS: signerSettings['SIGNER_ORIGINS'] ?? webOrigin(inherited['PUBLIC_ORIGIN'], ports.web),
        ...(chain.kind === 'embedded' ? { SIGNER_VENUE_KEY: venueKey(folderWithVenueKey(dataDirectory)) } : {}),
      };
    }),
    ...(processes ?? [{ name: 'server', environment: {} }]).map((process) =>
      part(
        'server',
        // Neither chain nor signer: loading itself takes the server longest, and it has to bear their absence at any time anyway.
        // In a past people register at once, and nobody tries again.
        [...(configuration.databaseUrl === undefined ? ['postgres'] : []), ...(past === undefined ? [] : ['signer'])],
        (facts) => {
          const endpoints = productEndpoints(configuration, ports, facts);
          return {
            ...serverSettings,
            HUNTER_MODE: mode,
            PORT: String(ports.web),
            DATA_DIR: dataDirectory,
            DATABASE_URL: endpoints.postgres,
            SOLANA_RPC_URL: endpoints.rpc,
            SOLANA_WS_URL: endpoints.rpcWs,
            VENUE_URL: endpoints.venue,
            SIGNER_SOCKET: socket,
            SIGNER_TOKEN: token,
            MARKET_SOURCE: configuration.marketSource,
            CHAIN_ID: chainId,
            ...(configuration.smtpUrl === undefined ? {} : { SMTP_URL: configuration.smtpUrl }),
            ...process.environment,
            ...(past === undefined
              ? {}
              : { PORT: String(past.webPort), HOST: '127.0.0.1', PAST_CLOCK_URL: `${endpoints.venue}/past` }),
          };
        },
        process.name,
      ),
    ),
  );
  return parts;
}

export function productEndpoints(
  { chain, databaseUrl }: Configuration,
  ports: Ports,
  facts: ReadonlyMap<string, ReadyFacts>,
): Endpoints {
  const embedded = facts.get('postgres')?.['url'];
  const postgres = databaseUrl ?? (typeof embedded === 'string' ? embedded : undefined);
  if (postgres === undefined) throw new Error('the embedded PostgreSQL did not say where it listens');
  const web = `http://localhost:${ports.web}`;
  if (chain.kind === 'outside') return { web, rpc: chain.rpcUrl, rpcWs: chain.wsUrl, venue: chain.venueUrl, postgres };
  return {
    web,
    rpc: `http://127.0.0.1:${ports.rpc}`,
    rpcWs: `ws://127.0.0.1:${ports.rpc + 1}`,
    venue: `http://127.0.0.1:${ports.venue}`,
    postgres,
  };
}

/** Where people open the web app. Passkeys need a domain: on one's own machine that is localhost. */
function webOrigin(publicOrigin: string | undefined, port: number): string {
  const outside = publicOrigin === undefined ? null : URL.parse(publicOrigin);
  return outside?.origin ?? `http://localhost:${port}`;
}

/** Where a process of this machine reaches the server. */
function webFromHere(port: number, host: string | undefined): string {
  const isEverywhere = host === undefined || host === '' || host === '0.0.0.0' || host === '::';
  return `http://${isEverywhere ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Keys and chain state are nobody else's business. */
function ownFolder(dataDirectory: string, name: string): string {
  const folder = join(dataDirectory, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Gives a part what is its own, at every start: earlier versions left everything to root. */
function handOver(name: PartName, dataDirectory: string, users: OwnUsers): void {
  const user = users[name];
  if (name === 'server') return giveFile(serverSecretFile(dataDirectory), user);
  // Root makes the key, also where the folder has been given before.
  const key = name === 'localnet' ? venueKeyFile(folderWithVenueKey(dataDirectory)) : null;
  giveFolder(join(dataDirectory, name), user);
  if (key !== null) giveFile(key, user);
}

/** The server makes its secret itself where it may write into the data folder. */
function serverSecretFile(dataDirectory: string): string {
  const file = join(dataDirectory, 'server.secret');
  if (!existsSync(file)) writeOwnFile(file, `${randomBytes(32).toString('hex')}\n`);
  return file;
}

/** A folder that only signer and server can enter, for the one file between them. */
function sharedSocket(dataDirectory: string, { signer, server }: OwnUsers): string {
  const socket = signerSocket(dataDirectory, tmpdir(), 'socket', signer.uid);
  giveFolder(dirname(socket), { uid: signer.uid, gid: server.gid }, 0o710);
  return socket;
}

/** Whichever of the two starts first makes the key, before the folder is given to the chain's user. */
function folderWithVenueKey(dataDirectory: string): string {
  const folder = ownFolder(dataDirectory, 'localnet');
  venueKey(folder);
  return folder;
}

export function signerSocket(
  dataDirectory: string,
  temporary: string = tmpdir(),
  folder = 'signer',
  signerUid?: number,
): string {
  const beside = join(ownFolder(dataDirectory, folder), 'signer.sock');
  if (fitsSocketPath(beside)) return beside;
  const mark = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16);
  return join(folderAmongStrangers(join(temporary, `hunter-${mark}`), signerUid), 'signer.sock');
}

/**
 * In a folder that everybody may write to. Whoever made it first, or put a link in its place, could put a socket of his own
 * there and be told passwords: what is not ours is refused.
 */
function folderAmongStrangers(path: string, signerUid: number | undefined): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const isOurs = [process.getuid?.(), signerUid].includes(found.uid) && (found.mode & 0o022) === 0;
  // Where users have no numbers, the temporary folder is a user's own.
  if (!found.isDirectory() || (process.getuid !== undefined && !isOurs)) {
    throw new StartError(
      `${path} was made by somebody else. Remove it, or choose a DATA_DIR with a shorter path, in which the signer's socket fits.`,
    );
  }
  return path;
}
