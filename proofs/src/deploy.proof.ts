/**
 * The operators' files are read by the tools they are written for, where those are installed. Takes `image` to build the
 * image as well, on base images made of Debian's packages, and to start server and signer from it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/bootstrap.mjs';
import type { Figures } from '../../scripts/run-named.ts';
import { haproxyConfig } from './haproxy-config.ts';

type Tried = { file: string; by: string; outcome: 'ok' | 'failed' | 'not installed'; output: string };

/** `package` is Debian's. */
type Trial = { file: string; tool: string; package: string; run: (scratch: string) => Run[] };
type Run = { command: string; args: string[]; cwd?: string; expect?: RegExp };

const deploy = join(root, 'deploy');

const trials: Trial[] = [
  {
    file: 'deploy/systemd',
    tool: 'systemd-analyze',
    package: 'systemd',
    run: (scratch) => [{ command: 'systemd-analyze', args: ['verify', ...unitsIn(scratch)] }],
  },
  {
    file: 'deploy/prometheus',
    tool: 'promtool',
    package: 'prometheus',
    run: () => [
      { command: 'promtool', args: ['check', 'config', 'prometheus.yml'], cwd: join(deploy, 'prometheus') },
      { command: 'promtool', args: ['test', 'rules', 'hunter.rules.test.yml'], cwd: join(deploy, 'prometheus') },
    ],
  },
  {
    file: 'deploy/haproxy/haproxy.cfg',
    tool: 'haproxy',
    package: 'haproxy',
    run: (scratch) => {
      const file = join(scratch, 'haproxy.cfg');
      writeFileSync(file, haproxyConfig(scratch));
      return [{ command: 'haproxy', args: ['-c', '-f', file] }];
    },
  },
  {
    file: 'deploy/kubernetes',
    tool: 'kubectl',
    package: 'kubernetes-client',
    run: () => [
      {
        command: 'kubectl',
        args: ['kustomize', join(deploy, 'kubernetes', 'overlays', 'example')],
        expect: /kind: StatefulSet/,
      },
    ],
  },
];

/** The units, each template as one process of every role, with a program that exists on this machine. */
function unitsIn(scratch: string): string[] {
  const folder = join(scratch, 'units');
  cpSync(join(deploy, 'systemd'), folder, { recursive: true });
  for (const unit of readdirSync(folder).filter((name) => name.endsWith('.service'))) {
    const text = readFileSync(join(folder, unit), 'utf8').replaceAll('/opt/hunter/', `${root}/`);
    const names = unit.includes('@')
      ? ['api', 'stream', 'engine', 'indexer', 'jobs'].map((role) => unit.replace('@', `@${role}`))
      : [unit];
    rmSync(join(folder, unit));
    for (const name of names) writeFileSync(join(folder, name), text);
  }
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.env'))
    .map((name) => join(folder, name));
}

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const STORAGE = ['--storage-driver', 'vfs'];
const SIGNER_SETTINGS = {
  SIGNER_TOKEN: 'a token of at least thirty-two characters',
  SIGNER_ENVIRONMENT: 'trial',
  SIGNER_SOCKET: '/run/hunter/signer.sock',
  SIGNER_ORIGINS: 'https://hunter.example',
};

/** Debian's own npm is older than the product's lockfile needs: the base gets the pinned Node and the npm of this machine. */
function nodeHooks(): string[] {
  const npmCommand = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  return [
    `copy-in ${realpathSync(join(root, 'node_modules', '.bin', 'node'))} /usr/local/bin`,
    // npm's command is a link to npm/bin/npm-cli.js.
    `copy-in ${join(realpathSync(npmCommand), '../..')} /usr/local/lib`,
    `ln -s ../lib/npm/bin/npm-cli.js "$1/usr/local/bin/npm"`,
    `chroot "$1" npm config set --location=global cafile ${CERTIFICATES}`,
  ];
}

/** Builds as an operator would, but for the base images, which come from Debian's packages instead of a registry. */
const image: Trial = {
  file: 'deploy/Dockerfile',
  tool: 'podman',
  package: 'podman buildah mmdebstrap',
  run: (scratch) => {
    const store = [...STORAGE, '--root', join(scratch, 'store'), '--runroot', join(scratch, 'run')];
    const base = (name: string, packages: string, ...hooks: string[]): Run[] => {
      const tar = join(scratch, `${name}.tar`);
      // The base trusts whom this machine trusts: its way to the package registry may lead through a proxy of its own.
      const trust = [`copy-in ${CERTIFICATES} /etc/ssl/certs`, ...hooks].map((hook) => `--customize-hook=${hook}`);
      const args = ['--mode=root', '--variant=minbase', `--include=${packages}`, ...trust, 'bookworm', tar];
      return [
        { command: 'mmdebstrap', args },
        { command: 'podman', args: [...store, 'import', tar, `hunter-${name}-base`] },
      ];
    };
    const run = (program: string[], variables: Record<string, string>, expect: RegExp): Run => ({
      command: 'buildah',
      args: [
        ...store,
        'run',
        '--isolation=chroot',
        ...Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`),
        'hunter-trial',
        '--',
        ...program,
      ],
      expect,
    });
    return [
      ...base('runtime', 'ca-certificates'),
      ...base('build', 'ca-certificates,libatomic1,libstdc++6', ...nodeHooks()),
      {
        command: 'podman',
        args: [
          ...store,
          'build',
          '--isolation=chroot',
          '--network=host',
          '--pull=never',
          '--build-arg=BUILD_IMAGE=localhost/hunter-build-base',
          '--build-arg=RUNTIME_IMAGE=localhost/hunter-runtime-base',
          `--file=${join(deploy, 'Dockerfile')}`,
          '--tag=hunter',
          root,
        ],
      },
      { command: 'buildah', args: [...store, 'from', '--pull-never', '--name=hunter-trial', 'localhost/hunter'] },
      run(['sh', '-c', 'id -u; node --version; test -e apps/web/dist/index.html'], {}, /^10001\nv26/),
      run(['sh', '-c', 'node apps/server/dist/main.js 2>&1 || true'], {}, /DATABASE_URL is not set/),
      run(['sh', '-c', 'timeout 10 deploy/hunter-signer </dev/null || true'], SIGNER_SETTINGS, /"ready":true/),
    ];
  },
};

function tryOne({ file, tool, run, package: needed }: Trial): Tried {
  if (spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0) {
    return { file, by: tool, outcome: 'not installed', output: `apt-get install ${needed}` };
  }
  const scratch = mkdtempSync(join(tmpdir(), 'hunter-deploy-'));
  try {
    for (const { command, args, cwd, expect } of run(scratch)) {
      const { status, stdout, stderr, error } = spawnSync(command, args, { ...(cwd ? { cwd } : {}), encoding: 'utf8' });
      const output = `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trim();
      if (status !== 0 || (expect && !expect.test(stdout))) {
        const last = output.split('\n').slice(-60).join('\n');
        return { file, by: tool, outcome: 'failed', output: `${command} ${args.slice(0, 4).join(' ')}: ${last}` };
      }
    }
    return { file, by: tool, outcome: 'ok', output: '' };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export default async function proveDeploy(args: readonly string[]): Promise<Figures> {
  const tried = [...trials, ...(args.includes('image') ? [image] : [])].map((trial) => {
    const result = tryOne(trial);
    process.stdout.write(`${result.file.padEnd(28)} ${result.by.padEnd(16)} ${result.outcome}  ${result.output}\n`);
    return result;
  });
  const files = (outcome: Tried['outcome']) =>
    tried.filter((one) => one.outcome === outcome).map(({ file }) => file.replace('deploy/', ''));
  return {
    ok: files('failed').length === 0,
    tried: files('ok'),
    failed: files('failed'),
    notInstalled: files('not installed'),
  };
}
