import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variables as launcherVariables } from '../apps/launcher/src/configuration.ts';
import { signerFlags } from '../apps/launcher/src/signer-flags.ts';
import { environment as serverEnvironment, ROLES } from '../apps/server/src/config.ts';
import { watchProcess, watchSignerStatus, watchStored, watchStream } from '../apps/server/src/http/figures.ts';
import { createMetrics, type Metrics } from '../apps/server/src/http/metrics.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { createOutflowAlarm } from '../apps/server/src/treasury/outflow-alarm.ts';
import { variables as signerVariables } from '../apps/signer/src/config.ts';
import { projectFiles } from './project-files.ts';

const DASHBOARD = 'deploy/grafana/hunter-dashboard.json';
const RULES = 'deploy/prometheus/hunter.rules.yml';
const RULE_TESTS = 'deploy/prometheus/hunter.rules.test.yml';
const RUNBOOKS = 'docs/operations.md';

/** Everything that the server's processes have at /metrics. */
export function knownMetrics(): ReadonlySet<string> {
  const { registry } = createMetrics();
  createOutflowAlarm(registry, createLog('silent'));
  watchProcess(registry, {
    roles: ROLES,
    database: { connections: { busy: 0, idle: 0, waiting: 0 } },
    isBusConnected: () => true,
    jobs: () => new Map(),
    marketLagMs: () => 0,
    lanes: { groups: 64, waiting: {} },
  });
  watchSignerStatus(registry, async () => null);
  watchStored(registry, {
    outbox: async () => [],
    openOrders: async () => ({}),
    putOffTransfers: async () => ({}),
  });
  watchStream(registry, { connections: 0, losses: { replaced: 0, stuck: 0 } });
  return metricNames(registry);
}

function metricNames(registry: Metrics['registry']): Set<string> {
  return new Set(
    registry.getMetricsAsArray().flatMap(({ name, type }) => {
      const isHistogram = String(type) === 'histogram';
      return isHistogram ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
    }),
  );
}

/** What rules and panels ask for, apart from `up`, which Prometheus makes itself. */
export function namedMetrics(text: string): string[] {
  return [...new Set(text.match(/\b(?:hunter|nodejs|process)_[a-z0-9_]+/g))];
}

/** Variables that a file sets: `NAME=`, `name: NAME`, `NAME: value` and, in a list, `- NAME=`. */
export function namedVariables(file: string, text: string): string[] {
  const patterns = /\.env(\.example)?$/.test(file)
    ? [/^([A-Z][A-Z0-9_]+)=/gm]
    : file.endsWith('.service')
      ? [/(?<=^Environment=.*)\b([A-Z][A-Z0-9_]+)=/gm]
      : [/\bname: ([A-Z][A-Z0-9_]+)\b/g, /^\s*- ([A-Z][A-Z0-9_]+)=/gm, /[{,] ([A-Z][A-Z0-9_]+): /g];
  return [...new Set(patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!)))];
}

function alarmsIn(rules: string): string[] {
  return [...rules.matchAll(/- alert: (\w+)/g)].map((match) => match[1]!);
}

/** Whether the operators' files still agree with the product. */
export function checkDeploy(project: string): string[] {
  const read = (file: string): string => readFileSync(join(project, file), 'utf8');
  const complaints: string[] = [];
  const metrics = knownMetrics();
  for (const file of [RULES, RULE_TESTS, DASHBOARD]) {
    for (const name of namedMetrics(read(file))) {
      if (!metrics.has(name)) complaints.push(`${file}: there is no metric ${name}`);
    }
  }
  const variables = new Set(
    [launcherVariables, signerVariables, serverEnvironment.shape].flatMap((part) => Object.keys(part)),
  );
  const flags = signerFlags(project, ['x']).map((flag) => flag.split('=')[0]!);
  for (const file of projectFiles(project).filter((name) => name.startsWith('deploy/'))) {
    const text = read(file);
    for (const name of namedVariables(file, text)) {
      if (!variables.has(name)) complaints.push(`${file}: there is no variable ${name}`);
    }
    for (const [, roles = ''] of text.matchAll(/\bROLE(?:=|: |, value: )([a-z]+(?:,[a-z]+)*)/g)) {
      if (!roles.split(',').every((role) => ROLES.includes(role as never))) complaints.push(`${file}: ROLE ${roles}`);
    }
    if (text.includes('Restart=always') && !text.includes('StartLimitIntervalSec=0'))
      complaints.push(`${file}: is not started again after a few failures in a row`);
    if (!text.includes('apps/signer/src/main.ts')) continue;
    for (const flag of flags) if (!text.includes(flag)) complaints.push(`${file}: starts the signer without ${flag}`);
  }
  const [tests, runbooks] = [read(RULE_TESTS), read(RUNBOOKS)];
  for (const alarm of alarmsIn(read(RULES))) {
    if (!tests.includes(`alertname: ${alarm}\n`)) complaints.push(`${RULE_TESTS}: ${alarm} never rings`);
    if (!runbooks.includes(`\`${alarm}\``)) complaints.push(`${RUNBOOKS}: ${alarm} has no runbook`);
  }
  return complaints;
}
