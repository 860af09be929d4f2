import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { Client } from 'pg';
import { root } from '../start/env';
import { fr, seconds } from '../terminal';
import { type AnsibleHost, openAnsible } from './ansible';
import { measure, type Part, timed } from './measure';
import { logIn, requestAs } from './product';
import { aim, number, ratioTo, times } from './report';
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
export const health: Part = async (bench, isQuick) => {
  await ensureSshPrograms(bench);
  const count = isQuick ? quickHosts : hosts;
  const rounds = isQuick ? 1 : 3;
  bench.step(fr`démarre les serveurs SSH`);
  const sshds = await startHosts(bench, Math.min(count, Math.floor(freemem() / 2 / bytesPerHost)));
  const rows = Array.from({ length: count }, (_, index) => sshds[index % sshds.length]).flatMap((host) => host ?? []);
  const { product, servers } = await setStage(bench, { VIGIE_HEALTH_SECONDS: '0' });
  bench.step(fr`enregistre ${count} serveurs`);
  const fleet = await openFleet(bench, { address: product.address, databaseUrl: servers.databaseUrl }, rows);
  const command = `{% raw %}${readFileSync(probe, 'utf8')}{% endraw %}`;
  const plays = { shell: { module: 'shell', command }, raw: { module: 'raw', command } } as const;
  const ansible = await openAnsible(bench, rows.map(toAnsible), plays);
  const run = async (play: keyof typeof plays) => ({ ms: (await ansible.run(play)).ms });
  return [
    // Before Ansible opens its connections to the hosts.
    measure({
      title: fr`Santé de ${count} serveurs, la première fois`,
      contenders: { cold: { name: 'Vigie', run: fleet.measureRound } },
      columns: () => [['temps', ({ ms }) => seconds(ms)]],
    }),
    measure({
      title: fr`Santé de ${count} serveurs`,
      contenders: {
        shell: { name: fr`Ansible, module shell`, run: () => run('shell') },
        raw: { name: fr`Ansible, module raw`, prepare: () => run('raw'), run: () => run('raw') },
        vigie: { name: fr`Vigie, connexions ouvertes`, run: fleet.measureRound },
      },
      rounds,
      columns: ({ vigie }) => [
        ['temps', ({ ms }) => seconds(ms)],
        ['débit', ({ ms }) => `${number(count / (ms / 1000))} /s`],
        ['Vigie va', ratioTo(vigie, ({ ms }) => ms)],
      ],
      lines: ({ shell, vigie }) => [aim(fr`le module shell d’Ansible`, shell.ms / vigie.ms, '≥', 5, times)],
      note: fr`
  La même sonde (vitals.sh), les mêmes hôtes : ${sshds.length} sshd privés sur cette machine pour ${count} serveurs, à leurs réglages
  par défaut. Vigie : le produit entier, de la demande (fresh=1) à la dernière mesure enregistrée, attente du prochain
  battement comprise. Ansible : la commande entière, 25 forks, pipelining, ControlPersist ; ses connexions sont ouvertes
  d’avance. Le module shell lance Python sur l’hôte, le module raw rien. Médiane de ${rounds} rondes alternées.
  Les hôtes et ceux qui les interrogent se partagent les mêmes cœurs.`,
    }),
  ];
};

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
  const token = await logIn(address);
  const request = requestAs(address, token);
  for (const [index, { port, privateKey }] of rows.entries()) {
    const auth = { privateKeyPem: privateKey };
    await request('POST', 'servers', { name: `h${index}`, host: '127.0.0.1', port, user: 'sh', auth });
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  bench.atEnd(() => client.end());
  let lastRoundAt = Number.NEGATIVE_INFINITY;
  const countChecked = async (startedAt: Date) => {
    const { rows: counts } = await client.query<{ n: number }>(
      `select count(*)::int as n from sites.servers where (status ->> 'checked_at')::timestamptz >= $1 and status ->> 'method' = 'ssh'`,
      [startedAt],
    );
    return counts[0]?.n ?? 0;
  };
  return {
    /** Waits until the product checks again, and measures from the request to the last saved row. */
    measureRound: async () => {
      await until(() => performance.now() - lastRoundAt > cooldownMs);
      const startedAt = new Date();
      const { ms } = await timed(async () => {
        await fetch(`${address}/api/servers/health?fresh=1&limit=500`, {
          headers: { authorization: `Bearer ${token}` },
        });
        await until(async () => (await countChecked(startedAt)) === rows.length);
      });
      lastRoundAt = performance.now();
      return { ms };
    },
  };
}
