import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkDeploy, knownMetrics, namedMetrics, namedVariables } from './check-deploy.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

it('finds every metric, variable, role, flag and runbook that the operators’ files name', () => {
  expect(checkDeploy(project)).toEqual([]);
});

it('reads the metrics out of an expression', () => {
  const expression =
    'histogram_quantile(0.9, sum by (le) (rate(hunter_signer_seconds_bucket{a="b"}[5m]))) > hunter_gone';
  expect(namedMetrics(expression)).toEqual(['hunter_signer_seconds_bucket', 'hunter_gone']);
  expect(knownMetrics().has('hunter_signer_seconds_bucket')).toBe(true);
  expect(knownMetrics().has('hunter_gone')).toBe(false);
});

it('reads the variables that each kind of file sets', () => {
  expect(namedVariables('a.env', '# NOTE=1\nROLE=api\n')).toEqual(['ROLE']);
  expect(namedVariables('a.service', 'Environment=DATA_DIR=x SIGNER_SOCKET=y\nUMask=0077\n')).toEqual([
    'DATA_DIR',
    'SIGNER_SOCKET',
  ]);
  expect(
    namedVariables('a.yaml', "- { name: ROLE, value: api }\n- OPS_HOST=0.0.0.0\ne: { STREAM_URL: 'x' }\n"),
  ).toEqual(['ROLE', 'OPS_HOST', 'STREAM_URL']);
});

// What compose.yml has operators put there: tokens, passwords and a private key.
it.each(['.gitignore', '.dockerignore'])('has secrets that lie beside the operators’ files left out by %s', (file) => {
  const lines = readFileSync(join(project, file), 'utf8').split('\n');
  expect(lines).toEqual(expect.arrayContaining(['deploy/*.env', 'deploy/certificates/']));
});
