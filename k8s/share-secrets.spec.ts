import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyFile, processes } from '@vigie/service-kit/keys';
import { searchPath } from '../tools/start/env';
import { writeKeys } from '../tools/start/keys';
import { render } from './kustomize';
import { podsOf, secretsOf } from './pods';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifests = ['small', 'large'].flatMap((overlay) => render(join(root, 'k8s/overlays', overlay)));

/** A fake kubectl that stores each secret key as a file, and shows the keys to one pod per process. */
const fakeKubectl = `#!/usr/bin/env bash
set -euo pipefail
[ "$1 $2" = "--namespace vigie" ] && shift 2
case "$1" in
  create)
    name=$4; shift 4
    for arg; do case "$arg" in
      --from-file=*=*) arg=\${arg#--from-file=}; echo "$name \${arg%%=*} \${arg#*=}";;
      --from-file=*) arg=\${arg#--from-file=}; echo "$name \${arg##*/} $arg";;
      --dry-run=client|--output=yaml) ;;
      *) echo "what is $arg" >&2; exit 1;;
    esac; done;;
  apply)
    [ "\${*:2}" = "--server-side --force-conflicts --filename=-" ] || exit 1
    while read -r name key path; do mkdir -p "$CLUSTER/$name"; cp "$path" "$CLUSTER/$name/$key"; done;;
  get) echo "pod/\${3##*=}";;
  exec) [ -n "\${STALE:-}" ] && echo stale || sha256sum < "$CLUSTER/keys-\${2#pod/}/keys.json";;
  *) exit 1;;
esac
`;

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'vigie-k8s-'));
  writeFileSync(join(home, 'kubectl'), fakeKubectl);
  chmodSync(join(home, 'kubectl'), 0o755);
});
afterAll(() => rmSync(home, { recursive: true }));

const folder = (name = '') => join(home, 'secrets', name);
const appliedSecret = (secret: string, key: string) => readFileSync(join(home, 'cluster', secret, key), 'utf8');
const shareSecrets = (args: string[] = [], more: NodeJS.ProcessEnv = {}) =>
  spawnSync('bash', [join(root, 'k8s/share-secrets.sh'), folder(), ...args], {
    encoding: 'utf8',
    env: { PATH: `${home}${delimiter}${searchPath()}`, CLUSTER: join(home, 'cluster'), ...more },
  });

/** Optional secrets that k8s/README.md explains how to create. */
const manualSecrets = ['ledger/connection'];

describe('the secrets of a cluster', () => {
  it('require the address of an administrator', () => {
    const { status, stderr } = shareSecrets();
    expect([status, stderr]).toEqual([1, expect.stringContaining('premier administrateur')]);
    expect(existsSync(folder('passwords'))).toBe(false);
  });

  it('are exactly those that its pods read', () => {
    writeKeys(folder('keys'));
    expect(shareSecrets([], { VIGIE_ADMIN_EMAIL: 'a@exemple.fr' })).toMatchObject({ status: 0, stderr: '' });
    const applied = readdirSync(join(home, 'cluster')).flatMap((secret) =>
      readdirSync(join(home, 'cluster', secret)).map((key) => `${secret}/${key}`),
    );
    const mounted = podsOf(manifests).flatMap(secretsOf);
    const scaler = manifests.flatMap(({ kind, spec }) =>
      kind === 'TriggerAuthentication'
        ? (spec as { secretTargetRef: { name: string; key: string }[] }).secretTargetRef
        : [],
    );
    const needed = [
      ...mounted.map(({ secret, key }) => `${secret}/${key}`),
      ...scaler.map(({ name, key }) => `${name}/${key}`),
    ];
    expect(new Set([...applied, ...manualSecrets])).toEqual(new Set(needed));
    const readme = readFileSync(join(root, 'k8s/README.md'), 'utf8');
    for (const name of manualSecrets) expect(readme).toContain(`secret generic ${name.split('/')[0]}`);
  });

  it('are readable by their owner alone on the machine that created them', () => {
    const files = readdirSync(folder(), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => (statSync(folder(file)).mode & 0o077) !== 0)).toEqual([]);
  });

  it.each(processes)('give %s its own keys', (process) => {
    expect(KeyFile.parse(JSON.parse(appliedSecret(`keys-${process}`, 'keys.json'))).process).toBe(process);
  });

  it('contain the same password for each server and its clients', () => {
    const { password: nats } = new URL(appliedSecret('bus', 'nats-url'));
    const { password: redis } = new URL(appliedSecret('bus', 'redis-url'));
    expect(appliedSecret('bus', 'nats.conf')).toBe(`user: vigie\npassword: "${nats}"\n`);
    expect(appliedSecret('bus', 'redis.conf')).toBe(`requirepass ${redis}\n`);
    expect(new URL(appliedSecret('database', 'owner-url')).password).toBe(appliedSecret('database', 'password'));
    expect(new Set([nats, redis, appliedSecret('database', 'password')]).size).toBe(3);
  });

  it('include a certificate for each server, and not the key of its authority', () => {
    const authority = new X509Certificate(appliedSecret('tls', 'ca.crt'));
    const certificate = new X509Certificate(appliedSecret('tls', 'tls.crt'));
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(appliedSecret('tls', 'tls.key')))).toBe(true);
    expect(['nats', 'redis', 'postgres'].map((name) => certificate.checkHost(name))).toEqual([
      'nats',
      'redis',
      'postgres',
    ]);
    expect([authority.ca, certificate.ca]).toEqual([true, false]);
    expect(readdirSync(folder('tls')).toSorted()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
  });

  it('stay the same when they are applied again', () => {
    const before = [
      appliedSecret('bus', 'nats-url'),
      appliedSecret('tls', 'tls.crt'),
      appliedSecret('keys-gateway', 'keys.json'),
    ];
    rmSync(join(home, 'cluster'), { recursive: true });
    expect(shareSecrets().status).toBe(0);
    expect([
      appliedSecret('bus', 'nats-url'),
      appliedSecret('tls', 'tls.crt'),
      appliedSecret('keys-gateway', 'keys.json'),
    ]).toEqual(before);
  });
});

describe('a rotation of the keys', () => {
  const keys = () => appliedSecret('keys-gateway', 'keys.json');

  it('waits for pods that still have the old file', () => {
    const before = keys();
    const { status, stderr } = shareSecrets(['rotate'], { STALE: '1', VIGIE_SHARE_TRIES: '1' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('pod/gateway')]);
    expect([keys(), readFileSync(folder('keys/gateway.json'), 'utf8')]).toEqual([before, before]);
  });

  it('takes one step, applies it, and says that there is another', () => {
    const before = keys();
    expect(shareSecrets(['rotate']).status).toBe(3);
    expect(keys()).not.toBe(before);
    expect(keys()).toBe(readFileSync(folder('keys/gateway.json'), 'utf8'));
  });
});
