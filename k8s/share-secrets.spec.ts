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

/** Stands for a cluster: keeps the secrets that it is given, each key a file, and shows them to its one pod a process. */
const cluster = `#!/usr/bin/env bash
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
  writeFileSync(join(home, 'kubectl'), cluster);
  chmodSync(join(home, 'kubectl'), 0o755);
});
afterAll(() => rmSync(home, { recursive: true }));

const folder = (name = '') => join(home, 'secrets', name);
const given = (secret: string, key: string) => readFileSync(join(home, 'cluster', secret, key), 'utf8');
const share = (args: string[] = [], more: NodeJS.ProcessEnv = {}) =>
  spawnSync('bash', [join(root, 'k8s/share-secrets.sh'), folder(), ...args], {
    encoding: 'utf8',
    env: { PATH: `${home}${delimiter}${searchPath()}`, CLUSTER: join(home, 'cluster'), ...more },
  });

/** Of what an installation may have besides, k8s/README.md says how it is made. */
const byHand = ['ledger/connection'];

describe('the secrets of a cluster', () => {
  it('want the address of an administrator', () => {
    const { status, stderr } = share();
    expect([status, stderr]).toEqual([1, expect.stringContaining('premier administrateur')]);
    expect(existsSync(folder('passwords'))).toBe(false);
  });

  it('are those that its pods read', () => {
    writeKeys(folder('keys'));
    expect(share([], { VIGIE_ADMIN_EMAIL: 'a@exemple.fr' })).toMatchObject({ status: 0, stderr: '' });
    const made = readdirSync(join(home, 'cluster')).flatMap((secret) =>
      readdirSync(join(home, 'cluster', secret)).map((key) => `${secret}/${key}`),
    );
    const read = podsOf(manifests).flatMap(secretsOf);
    const scaler = manifests.flatMap(({ kind, spec }) =>
      kind === 'TriggerAuthentication'
        ? (spec as { secretTargetRef: { name: string; key: string }[] }).secretTargetRef
        : [],
    );
    const wanted = [
      ...read.map(({ secret, key }) => `${secret}/${key}`),
      ...scaler.map(({ name, key }) => `${name}/${key}`),
    ];
    expect(new Set([...made, ...byHand])).toEqual(new Set(wanted));
    const readme = readFileSync(join(root, 'k8s/README.md'), 'utf8');
    for (const name of byHand) expect(readme).toContain(`secret generic ${name.split('/')[0]}`);
  });

  it('are nobody else’s on the machine that made them', () => {
    const files = readdirSync(folder(), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => (statSync(folder(file)).mode & 0o077) !== 0)).toEqual([]);
  });

  it.each(processes)('give %s its own keys', (process) => {
    expect(KeyFile.parse(JSON.parse(given(`keys-${process}`, 'keys.json'))).process).toBe(process);
  });

  it('open each server to who has its address', () => {
    const { password: nats } = new URL(given('bus', 'nats-url'));
    const { password: redis } = new URL(given('bus', 'redis-url'));
    expect(given('bus', 'nats.conf')).toBe(`user: vigie\npassword: "${nats}"\n`);
    expect(given('bus', 'redis.conf')).toBe(`requirepass ${redis}\n`);
    expect(new URL(given('database', 'owner-url')).password).toBe(given('database', 'password'));
    expect(new Set([nats, redis, given('database', 'password')]).size).toBe(3);
  });

  it('prove each server by a certificate that nobody can make again', () => {
    const authority = new X509Certificate(given('tls', 'ca.crt'));
    const certificate = new X509Certificate(given('tls', 'tls.crt'));
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(given('tls', 'tls.key')))).toBe(true);
    expect(['nats', 'redis', 'postgres'].map((name) => certificate.checkHost(name))).toEqual([
      'nats',
      'redis',
      'postgres',
    ]);
    expect([authority.ca, certificate.ca]).toEqual([true, false]);
    expect(readdirSync(folder('tls')).toSorted()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
  });

  it('are the same when they are given again', () => {
    const before = [given('bus', 'nats-url'), given('tls', 'tls.crt'), given('keys-gateway', 'keys.json')];
    rmSync(join(home, 'cluster'), { recursive: true });
    expect(share().status).toBe(0);
    expect([given('bus', 'nats-url'), given('tls', 'tls.crt'), given('keys-gateway', 'keys.json')]).toEqual(before);
  });
});

describe('a rotation of the keys', () => {
  const keys = () => given('keys-gateway', 'keys.json');

  it('waits for pods that still have the old file, before it goes on', () => {
    const before = keys();
    const { status, stderr } = share(['rotate'], { STALE: '1', VIGIE_SHARE_TRIES: '1' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('pod/gateway')]);
    expect([keys(), readFileSync(folder('keys/gateway.json'), 'utf8')]).toEqual([before, before]);
  });

  it('takes a step, gives it to all, and says that there is another one', () => {
    const before = keys();
    expect(share(['rotate']).status).toBe(3);
    expect(keys()).not.toBe(before);
    expect(keys()).toBe(readFileSync(folder('keys/gateway.json'), 'utf8'));
  });
});
