import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainInstallFailure, installStamp, isInstalled, nodeIsTooOld } from './bootstrap.mjs';

let project: string;
const write = (file: string, text: string): void => {
  mkdirSync(join(project, file, '..'), { recursive: true });
  writeFileSync(join(project, file), text);
};

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'hunter-bootstrap-'));
  write('package.json', '{"workspaces":["packages/*","e2e"]}');
  write('package-lock.json', '{}');
  write('packages/domain/package.json', '{"name":"domain"}');
  write('packages/domain/src/a.ts', '');
  write('e2e/package.json', '{"name":"e2e"}');
});
afterEach(() => rmSync(project, { recursive: true }));

describe('the installation', () => {
  it('counts as done only while the lockfile, the manifests and the platform are those it was made for', () => {
    expect(isInstalled(project)).toBe(false);
    write('node_modules/.bin/node', '');
    write('node_modules/.hunter-installed', installStamp(project));
    expect(isInstalled(project)).toBe(true);
    write('packages/domain/src/a.ts', 'export {}');
    expect(isInstalled(project)).toBe(true);
    write('e2e/package.json', '{"name":"e2e","dependencies":{}}');
    expect(isInstalled(project)).toBe(false);
    expect(installStamp(project, 'linux-arm64')).not.toBe(installStamp(project, 'linux-x64'));
  });

  it('explains in one line why npm failed', () => {
    expect(explainInstallFailure('npm error code ENOTFOUND\nnpm error network request failed\n')).toBe(
      'the package registry cannot be reached (ENOTFOUND); connect to the network and try again',
    );
    expect(explainInstallFailure('npm error code EACCES\nnpm error permission denied, mkdir\n')).toBe(
      'EACCES: permission denied, mkdir',
    );
    expect(explainInstallFailure('')).toBe('npm could not be run');
  });
});

describe('the Node that starts it', () => {
  it('must be 20 or newer', () => {
    expect(['14.21.3', '18.20.8', '20.0.0', '26.10.0'].map((version) => nodeIsTooOld(version))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
