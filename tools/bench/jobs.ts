import { until } from '@vigie/testing/until';
import { fr } from '../terminal';
import { type Hops, type Rate, reportJobs, reportWaits } from './jobs-report';
import { type JobsStage, setJobsStage } from './jobs-stage';
import { processorMs } from './memory';
import { median, quantile } from './statistics';
import { measureWaits, openWaitingHosts, type Waits } from './waits';
import type { Workbench } from './workbench';

const kind = 'bench.nothing';
/**
 * The first value leaves processor time free on a machine with two agents and the hosts. The second value is the
 * default.
 */
const concurrencies = [6, 16];

export async function benchJobs(bench: Workbench, isQuick: boolean): Promise<void> {
  const [queuedCount, singleCount, rounds, perSite] = isQuick ? [300, 20, 1, 1] : [4_000, 200, 3, 5];
  const stage = await setJobsStage(bench);
  bench.step(fr`met en température`);
  await measureRate(bench, stage, { count: queuedCount, agents: 1 });
  bench.step(fr`${singleCount} tâches, l’une après l’autre`);
  const hops = await measureHops(bench, stage, singleCount);
  const rates: Rate[] = [];
  for (const agents of [1, 2]) {
    if (agents > 1) await stage.addAgent();
    const measured: Rate[] = [];
    for (let round = 0; round < rounds; round++) {
      bench.step(fr`${queuedCount} tâches, agents : ${agents}, tour ${round + 1} sur ${rounds}`);
      measured.push(await measureRate(bench, stage, { count: queuedCount, agents }));
    }
    const middle = Math.floor(rounds / 2);
    rates.push(...measured.toSorted((left, right) => left.perSecond - right.perSecond).slice(middle, middle + 1));
  }
  reportJobs({ queuedCount, singleCount, hops, rates });
  reportWaits(await measureAllWaits(bench, stage, perSite));
  await stage.product.stop();
}

async function measureAllWaits(bench: Workbench, { product, token, addAgent }: JobsStage, perSite: number) {
  const hosts = await openWaitingHosts(bench, product, token);
  const measured: Waits[] = [];
  for (const max of concurrencies) {
    await Promise.all(product.processesOf('ssh-agent').map((agent) => agent.kill('SIGTERM')));
    for (const agents of [1, 2]) {
      bench.step(fr`opérations qui attendent leur hôte, agents : ${agents}, ${max} à la fois`);
      await addAgent({ VIGIE_AGENT_OPERATIONS: String(max) });
      measured.push({ agents, atOnce: max, ...(await measureWaits(bench, product, hosts, perSite)) });
    }
  }
  return measured;
}

/** Starts the jobs one after the other by API requests. */
async function measureHops(bench: Workbench, { product, token }: JobsStage, count: number): Promise<Hops> {
  const { database } = product;
  const failed = await addJobs(product, count, 'failed');
  await database.query('truncate public.dispatches');
  for (const id of failed) {
    bench.signal.throwIfAborted();
    const { body } = await product.request('POST', `/api/jobs/${id}/retry`, { token });
    await until(async () => {
      const { rowCount } = await database.query('select from sites.jobs where id = $1 and finished_at is not null', [
        body['id'],
      ]);
      return rowCount === 1;
    });
  }
  const ms = (from: string, to: string) => `(extract(epoch from ${to} - ${from}) * 1000)::float8`;
  const { rows } = await database.query<{ ledger: number; queue: number; agent: number; total: number }>(
    `select ${ms('j.created_at', 'd.at')} as ledger, ${ms('d.at', 'j.started_at')} as queue,
       ${ms('j.started_at', 'j.finished_at')} as agent, ${ms('j.created_at', 'j.finished_at')} as total
     from sites.jobs j join public.dispatches d on d.id = j.id where j.retry_of = any($1)`,
    [failed],
  );
  const middle = (name: 'ledger' | 'queue' | 'agent' | 'total') => median(rows.map((row) => row[name]));
  const p99 = quantile(
    rows.map(({ total }) => total),
    0.99,
  );
  return { ledger: middle('ledger'), queue: middle('queue'), agent: middle('agent'), total: middle('total'), p99 };
}

type Load = { count: number; agents: number };

/** All jobs wait from the start. */
async function measureRate(bench: Workbench, stage: JobsStage, { count, agents }: Load): Promise<Rate> {
  const { product } = stage;
  await product.database.query('truncate sites.jobs cascade');
  const pids = stage.pids();
  const before = processorMs(pids);
  await addJobs(product, count, 'queued');
  await until(async () => {
    bench.signal.throwIfAborted();
    const { rowCount } = await product.database.query('select from sites.jobs where finished_at is null limit 1');
    return rowCount === 0;
  });
  const after = processorMs(pids);
  const { rows } = await product.database.query<{ seconds: number; done: number }>(
    `select extract(epoch from max(finished_at) - min(started_at))::float8 as seconds,
       count(*) filter (where state = 'succeeded')::int as done from sites.jobs`,
  );
  const [{ seconds, done } = { seconds: Number.NaN, done: 0 }] = rows;
  if (done !== count) throw new Error(`${count - done} jobs did not succeed`);
  const cpuMs = Object.fromEntries([...after].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / count]));
  return { agents, perSecond: count / seconds, cpuMs };
}

async function addJobs({ database }: JobsStage['product'], count: number, state: 'queued' | 'failed') {
  const { rows } = await database.query<{ id: string }>(
    `insert into sites.jobs (id, kind, owner_id, actor_id, server_id, queue, lane, is_exclusive, is_heavy, input, state)
     select gen_random_uuid(), $1, s.owner_id, s.owner_id, s.id, 'site-ops', s.host || ':' || s.port, false, false, '{}', $3
     from (select *, row_number() over (order by id) - 1 as place, count(*) over () as n from sites.servers) s
     join generate_series(0, $2::int - 1) g on g % s.n = s.place returning id`,
    [kind, count, state],
  );
  return rows.map(({ id }) => id);
}
