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
/** Generous estimate for one sshd with one open session. */
const bytesPerHost = 24_000_000;
const batchSize = 8;
/** The product does not check a server again during this time after a check. */
const cooldownMs = 11_000;
const probe = join(root, 'apps/ssh-agent/src/server-health/vitals.sh');

/** Measures the health check of a fleet on open connections, by the product and by Ansible with the same probe. */
export async function benchHealth(bench: Workbench, isQuick: boolean): Promise<void> {
  await ensureSshPrograms(bench);
  const count = isQuick ? quickHosts : hosts;
  bench.step(fr`démarre les serveurs SSH`);
  const servers = await startHosts(bench, Math.min(count, Math.floor(freemem() / 2 / bytesPerHost)));
  const rows = Array.from({ length: count }, (_, index) => servers[index % servers.length]).flatMap(
    (host) => host ?? [],
  );
  const { product, servers: infrastructure } = await setStage(bench, 'health', { VIGIE_HEALTH_SECONDS: '0' });
  bench.step(fr`enregistre ${count} serveurs`);
  const fleet = await openFleet(bench, { address: product.address, databaseUrl: infrastructure.databaseUrl }, rows);
  const command = `{% raw %}${readFileSync(probe, 'utf8')}{% endraw %}`;
  const plays = { shell: { module: 'shell', command }, raw: { module: 'raw', command } } as const;
  const ansible = await openAnsible(bench, rows.map(toAnsible), plays);
  bench.step(fr`première visite`);
  const cold = await fleet.measureRound();
  await ansible.run('raw');
  const rounds: Round[] = [];
  const all = isQuick ? 1 : 3;
  for (let round = 0; round < all; round++) {
    bench.signal.throwIfAborted();
    bench.step(fr`tour ${round + 1} sur ${all}`);
    await fleet.waitForRest();
    const [{ ms: shell }, { ms: raw }] = [await ansible.run('shell'), await ansible.run('raw')];
    rounds.push({ own: await fleet.measureRound(), shell, raw });
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
    const next = Array.from({ length: Math.min(batchSize, count - started.length) }, () => SshHost.start());
    started.push(...(await Promise.all(next)));
  }
  return started;
}

const toAnsible = ({ port, privateKey }: SshHost): AnsibleHost => ({ port, privateKey });

type FleetContext = { address: string; databaseUrl: string };

/** Creates the hosts as servers of the product. A round ends when the result of the last server is saved. */
async function openFleet(bench: Workbench, { address, databaseUrl }: FleetContext, rows: readonly SshHost[]) {
  const authorization = `Bearer ${await logIn(address)}`;
  for (const [index, { port, privateKey }] of rows.entries()) {
    const body = { name: `h${index}`, host: '127.0.0.1', port, user: 'sh', auth: { privateKeyPem: privateKey } };
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
  let lastRoundAt = 0;
  const countChecked = async (startedAt: Date) => {
    const { rows: counts } = await client.query<{ n: number }>(
      `select count(*)::int as n from sites.servers where (status ->> 'checked_at')::timestamptz >= $1 and status ->> 'method' = 'ssh'`,
      [startedAt],
    );
    return counts[0]?.n ?? 0;
  };
  return {
    waitForRest: () => until(() => performance.now() - lastRoundAt > cooldownMs),
    /** Returns the milliseconds from the request to the last saved row. */
    measureRound: async (): Promise<number> => {
      const [startTime, startedAt] = [performance.now(), new Date()];
      await fetch(`${address}/api/servers/health?fresh=1&limit=500`, { headers: { authorization } });
      await until(async () => (await countChecked(startedAt)) === rows.length);
      lastRoundAt = performance.now();
      return lastRoundAt - startTime;
    },
  };
}
