import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { Client } from 'pg';
import { root } from '../start/env';
import { fr } from '../terminal';
import { type AnsibleHost, openAnsible } from './ansible';
import { type Round, reportHealth } from './health-report';
import { logIn } from './product';
import { ensureSshPrograms } from './ssh-stage';
import { setStage } from './stage';
import type { Workbench } from './workbench';

const hosts = 200;
const quickHosts = 20;
/** Of an sshd with the session that is open on it, with much to spare. */
const bytesEach = 24_000_000;
const startedAtOnce = 8;
/** So soon after a look nobody looks again. */
const restMs = 11_000;
const probe = join(root, 'apps/ssh-agent/src/server-health/vitals.sh');

/** Health of a fleet on open connections: the whole road of the product, and Ansible with the same probe. */
export async function benchHealth(bench: Workbench, isQuick: boolean): Promise<void> {
  await ensureSshPrograms(bench);
  const count = isQuick ? quickHosts : hosts;
  bench.step(fr`démarre les serveurs SSH`);
  const servers = await startHosts(bench, Math.min(count, Math.floor(freemem() / 2 / bytesEach)));
  const rows = Array.from({ length: count }, (_, place) => servers[place % servers.length]).flatMap(
    (host) => host ?? [],
  );
  const { product, servers: infrastructure } = await setStage(bench, 'health', { VIGIE_HEALTH_SECONDS: '0' });
  bench.step(fr`enregistre ${count} serveurs`);
  const own = await openFleet(bench, { address: product.address, databaseUrl: infrastructure.databaseUrl }, rows);
  const command = `{% raw %}${readFileSync(probe, 'utf8')}{% endraw %}`;
  const plays = { shell: { module: 'shell', command }, raw: { module: 'raw', command } } as const;
  const ansible = await openAnsible(bench, rows.map(toAnsible), plays);
  bench.step(fr`première visite`);
  const cold = await own.look();
  await ansible.look('raw');
  const rounds: Round[] = [];
  const all = isQuick ? 1 : 3;
  for (let round = 0; round < all; round++) {
    bench.signal.throwIfAborted();
    bench.step(fr`tour ${round + 1} sur ${all}`);
    await own.rest();
    const [{ ms: shell }, { ms: raw }] = [await ansible.look('shell'), await ansible.look('raw')];
    rounds.push({ own: await own.look(), shell, raw });
  }
  reportHealth({ count, servers: servers.length, cold, rounds });
  await product.stop();
  await Promise.all(servers.map((server) => server.stop()));
}

async function startHosts(bench: Workbench, count: number): Promise<SshHost[]> {
  const started: SshHost[] = [];
  bench.atEnd(() => Promise.all(started.map((host) => host.stop())));
  while (started.length < count) {
    bench.signal.throwIfAborted();
    const next = Array.from({ length: Math.min(startedAtOnce, count - started.length) }, () => SshHost.start());
    started.push(...(await Promise.all(next)));
  }
  return started;
}

const toAnsible = ({ port, privateKey }: SshHost): AnsibleHost => ({ port, privateKey });

type Way = { address: string; databaseUrl: string };

/** The hosts as servers of the product; a look is over once what was seen of the last of them is kept. */
async function openFleet(bench: Workbench, { address, databaseUrl }: Way, rows: readonly SshHost[]) {
  const authorization = `Bearer ${await logIn(address)}`;
  for (const [place, { port, privateKey }] of rows.entries()) {
    const body = { name: `h${place}`, host: '127.0.0.1', port, user: 'sh', auth: { privateKeyPem: privateKey } };
    const answer = await fetch(`${address}/api/servers`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`no server: ${await answer.text()}`);
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  bench.atEnd(() => client.end());
  let lookedAt = 0;
  const countSeen = async (since: Date) => {
    const { rows: seen } = await client.query<{ n: number }>(
      `select count(*)::int as n from sites.servers where (status ->> 'checked_at')::timestamptz >= $1 and status ->> 'method' = 'ssh'`,
      [since],
    );
    return seen[0]?.n ?? 0;
  };
  return {
    rest: () => until(() => performance.now() - lookedAt > restMs),
    /** In milliseconds, from the click to the last row. */
    look: async (): Promise<number> => {
      const [began, since] = [performance.now(), new Date()];
      await fetch(`${address}/api/servers/health?fresh=1&limit=500`, { headers: { authorization } });
      await until(async () => (await countSeen(since)) === rows.length);
      lookedAt = performance.now();
      return lookedAt - began;
    },
  };
}
