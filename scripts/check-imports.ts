import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { projectFiles } from './project-files.ts';

/** `target` is a file of the project, or the name of a package or built-in module. */
export type Import = { readonly specifier: string; readonly target: string };
export type ImportGraph = ReadonlyMap<string, readonly Import[]>;

const statement = /(?:^|[\n;}])\s*(?:import|export)\s+(?:[\w*{}\s,$]+?\s+from\s+)?(['"])([^'"\n]+)\1/g;
const dynamic = /\bimport\(\s*(['"])([^'"\n]+)\1\s*[,)]/g;

export function importsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const found = [statement, dynamic].flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[2] ?? ''));
  return [...new Set(found)];
}

export function resolveImport(file: string, specifier: string, exists: (path: string) => boolean): string {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ''));
    return ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => path + end).find(exists) ?? path;
  }
  const own = /^@hunter\/([\w-]+)\/(.+)$/.exec(specifier);
  if (own) return `packages/${own[1]}/src/${own[2]}.ts`;
  return specifier;
}

/** From the bottom. An area uses areas below it only, so that money flows one way: strategies → trading → ledger. */
const areas = [
  'alerts',
  'sending',
  'venue',
  'market',
  'explorer',
  'ledger',
  'trading',
  'triggers',
  'accounts',
  'treasury',
  'strategies',
  'wallet-follows',
  'portfolio',
];
const levelOf = (area: string): number | undefined => (areas.includes(area) ? areas.indexOf(area) : undefined);

/** Folders of the rules and of the signer, from the bottom; one uses those below it. What lies beside them is for all. */
const folders: Readonly<Record<string, readonly string[]>> = {
  'packages/domain': [
    'numbers',
    'format',
    'names',
    'alerts',
    'market',
    'triggers',
    'copying',
    'wallet-follows',
    'record',
  ],
  'apps/signer': ['storage', 'keys', 'factors', 'transactions', 'limits', 'memory', 'requests', 'socket'],
};

const webLayers = ['ui', 'chart', 'data', 'features', 'pages'];

type Place = { readonly app: string; readonly part: string; readonly rest: string };

function placeOf(path: string): Place | undefined {
  const match = /^((?:apps|packages)\/[\w-]+)\/src\/(?:([\w-]+)\/)?(.*)$/.exec(path);
  return match ? { app: match[1] ?? '', part: match[2] ?? '', rest: match[3] ?? '' } : undefined;
}

const isExternal = (target: string): boolean =>
  !/^(apps|packages|scripts|bench|proofs|ops|e2e)\//.test(target) && !target.startsWith('.');
/** Tests, what they share (`x-for-test.ts`) and their fixtures may reach across layers. */
const isTest = (file: string): boolean => /(\.test|-for-test)\.tsx?$/.test(file) || file.includes('/fixtures/');

const packagesAllowed: Readonly<Record<string, { own: readonly string[]; external: (name: string) => boolean }>> = {
  'packages/domain': { own: [], external: () => false },
  'packages/contract': { own: ['packages/domain'], external: (name) => name === 'zod' },
  'packages/solana': { own: ['packages/domain'], external: (name) => name === 'ws' || name.startsWith('node:') },
  // It checks what the product says, in browsers too: it may not count with the product's own code.
  'packages/verify': { own: [], external: () => false },
  'packages/signer-client': { own: ['packages/solana'], external: (name) => name.startsWith('node:') },
};

/** Why this import is against the rules, or undefined. */
export function refusal(file: string, target: string): string | undefined {
  const from = placeOf(file);
  if (!from || isTest(file)) return undefined;
  const rules = packagesAllowed[from.app];
  if (isExternal(target)) {
    if (rules && !rules.external(target)) return `${from.app} may not import ${target}`;
    if (from.app === 'apps/signer' && !target.startsWith('node:')) {
      return `the signer imports Node built-ins only, not ${target}`;
    }
    return undefined;
  }
  if (isTest(target)) return `product code may not import ${target}, which is for tests`;
  const to = placeOf(target);
  if (!to) return `product code may not import ${target}`;
  if (from.app === to.app) {
    if (from.app === 'apps/server') return serverRefusal(from, to);
    return from.app === 'apps/web' ? webRefusal(from, to) : folderRefusal(from, to);
  }
  if (rules) return rules.own.includes(to.app) ? undefined : `${from.app} may not import ${to.app}`;
  if (from.app === 'apps/signer') return `the signer imports Node built-ins only, not ${target}`;
  return to.app.startsWith('packages/') ? undefined : `apps never import each other: ${to.app}`;
}

function serverRefusal(from: Place, to: Place): string | undefined {
  if (from.part === to.part) return undefined;
  if (to.part === 'roles') return from.part === '' ? undefined : 'only main.ts composes roles';
  const fromLevel = levelOf(from.part);
  const toLevel = levelOf(to.part);
  if (from.part === 'platform' && (toLevel !== undefined || ['http', 'stream'].includes(to.part))) {
    return `platform knows no area: ${to.part}`;
  }
  if (fromLevel === undefined) return undefined;
  if (['http', 'stream'].includes(to.part)) return `the area ${from.part} may not import ${to.part}`;
  if (toLevel !== undefined && toLevel >= fromLevel) return `the area ${from.part} may not import ${to.part}`;
  return undefined;
}

function folderRefusal(from: Place, to: Place): string | undefined {
  const order = folders[from.app];
  if (!order || from.part === '' || to.part === '' || from.part === to.part) return undefined;
  return order.indexOf(to.part) < order.indexOf(from.part) ? undefined : `${from.part} may not import ${to.part}`;
}

function webRefusal(from: Place, to: Place): string | undefined {
  const fromLayer = webLayers.indexOf(from.part);
  const toLayer = webLayers.indexOf(to.part);
  const features = webLayers.indexOf('features');
  if (fromLayer === -1 || toLayer === -1) return undefined;
  if (from.part === 'features' && to.part === 'features') {
    const [own, other] = [from.rest.split('/')[0], to.rest.split('/')[0]];
    return own === other ? undefined : `features do not import each other: ${other}`;
  }
  return toLayer >= features && toLayer > fromLayer ? `${from.part} may not import ${to.part}` : undefined;
}

/** Each cycle once, as the files on it. */
export function findCycles(graph: ImportGraph): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at !== -1) {
      cycles.push([...path.slice(at), file]);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const { target } of graph.get(file) ?? []) if (graph.has(target)) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

export function checkGraph(graph: ImportGraph): string[] {
  const refused = [...graph].flatMap(([file, imports]) =>
    imports.flatMap(({ target }) => {
      const reason = refusal(file, target);
      return reason === undefined ? [] : [`${file}: ${reason}`];
    }),
  );
  return [...refused, ...findCycles(graph).map((cycle) => `import cycle: ${cycle.join(' → ')}`)];
}

export function loadGraph(project: string): ImportGraph {
  const files = projectFiles(project).filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('.d.ts'));
  const exists = (path: string): boolean =>
    existsSync(join(project, path)) && dirname(path) !== path && /\.\w+$/.test(path);
  return new Map(
    files.map((file) => [
      file,
      importsOf(readFileSync(join(project, file), 'utf8')).map((specifier) => ({
        specifier,
        target: resolveImport(file, specifier, exists),
      })),
    ]),
  );
}

export function checkImports(project: string): string[] {
  return checkGraph(loadGraph(project));
}
