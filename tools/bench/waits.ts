import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { addServer, aServer } from '@vigie/testing/hosts';
import type { TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { addTrialJobs, Host } from '../chaos/host';
import { busyMs } from '../proc';
import type { Workbench } from './workbench';

/** `busy` is the used share of all processors, including the hosts on the same machine. */
type Waits = { perSecond: number; busy: number };

/** A host runs three operations at once, in total more than two agents. */
const [hostCount, sitesPerHost] = [12, 4];
/** Seconds that an operation waits on its host. */
export const waitSeconds = 1;
/** A trial job sleeps four times. */
const quarter = waitSeconds / 4;
/** The first and the last tenth, while there is less work than the agents could do. */
const uncounted = 0.1;

export async function openHosts(
  bench: Workbench,
  product: TestProduct,
  token: string,
  size: { hosts: number; sites: number },
): Promise<Host[]> {
  const hosts: Host[] = [];
  for (let index = 0; index < size.hosts; index++) {
    bench.signal.throwIfAborted();
    const sshd = await SshHost.start({ settings: ['MaxStartups 100'] });
    bench.atEnd(() => sshd.stop());
    const { id } = await addServer(product, token, aServer(sshd, { name: `hote-${index}` }));
    const host = new Host(sshd, id, sshd.port, size.sites);
    await host.addSites((sql, values) => product.database.query(sql, values));
    hosts.push(host);
  }
  return hosts;
}

export const openWaitingHosts = (bench: Workbench, product: TestProduct, token: string) =>
  openHosts(bench, product, token, { hosts: hostCount, sites: sitesPerHost });

/** All jobs wait from the start. The first jobs open the connections and are not measured. */
export async function measureWaits(
  bench: Workbench,
  product: TestProduct,
  hosts: readonly Host[],
  perSite: number,
): Promise<Waits> {
  await waitOnHosts(bench, product, hosts, 1);
  const before = { at: performance.now(), ms: busyMs() };
  await waitOnHosts(bench, product, hosts, perSite);
  const busy = (busyMs() - before.ms) / (performance.now() - before.at) / availableParallelism();
  const ended = (share: number) => `percentile_disc(${share}) within group (order by finished_at)`;
  const { rows } = await product.database.query<{ seconds: number; done: number; all: number }>(
    `select extract(epoch from ${ended(1 - uncounted)} - ${ended(uncounted)})::float8 as seconds,
       count(*) filter (where state = 'succeeded')::int as done, count(*)::int as all from sites.jobs`,
  );
  const [{ seconds, done, all } = { seconds: Number.NaN, done: 0, all: 0 }] = rows;
  if (done !== all) throw new Error(`${all - done} operations did not succeed`);
  return { perSecond: ((1 - 2 * uncounted) * all) / seconds, busy };
}

async function waitOnHosts(bench: Workbench, product: TestProduct, hosts: readonly Host[], perSite: number) {
  await product.database.query('truncate sites.jobs cascade');
  for (const host of hosts) {
    const jobs = Array.from({ length: perSite }, () =>
      host.sites.map((site) => ({ id: randomUUID(), kind: 'sleep', site, seconds: quarter })),
    );
    await addTrialJobs((sql, values) => product.database.query(sql, values), host, jobs.flat(), 'queued');
  }
  await until(async () => {
    bench.signal.throwIfAborted();
    const { rowCount } = await product.database.query('select from sites.jobs where finished_at is null limit 1');
    return rowCount === 0;
  });
}
