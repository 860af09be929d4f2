import { until } from '@vigie/testing/until';
import { fr } from '../terminal';
import { type JobsStage, setJobsStage } from './jobs-stage';
import { measure, type Measure, type Part } from './measure';
import { processorMs } from './memory';
import { aim, milliseconds, number, tableOf, times } from './report';
import { median, medians, quantile } from './statistics';
import { measureWaits, openWaitingHosts, waitSeconds } from './waits';
import type { Workbench } from './workbench';

const kind = 'bench.nothing';
const minProcessorMs = 0.05;

/** Measures the way of a job through the ledger, and what two agents do more than one. */
export const jobs: Part = async (bench, isQuick) => {
  const [queuedCount, singleCount, rounds, perSite] = isQuick ? [300, 20, 1, 1] : [4_000, 200, 3, 5];
  const stage = await setJobsStage(bench);
  return [
    hops(bench, stage, { queuedCount, singleCount }),
    rates(bench, stage, { queuedCount, singleCount, rounds }),
    waits(bench, stage, perSite),
  ];
};

type Counts = { queuedCount: number; singleCount: number };

const hops = (bench: Workbench, stage: JobsStage, { queuedCount, singleCount }: Counts): Measure =>
  measure({
    title: fr`${singleCount} tâches, l’une après l’autre`,
    contenders: {
      single: {
        name: fr`une tâche seule`,
        prepare: () => measureRate(bench, stage, queuedCount),
        run: () => measureHops(bench, stage, singleCount),
      },
    },
    reports: ({ single: { ledger, queue, agent, total, p99 } }) => {
      const stages = [
        { name: fr`registre : acceptée → répartie`, ms: ledger },
        { name: fr`file : répartie → confiée à l’agent`, ms: queue },
        { name: fr`agent : confiée → finie`, ms: agent },
      ];
      const table = tableOf(stages, [
        ['médiane', ({ ms }) => milliseconds(ms)],
        ['part', ({ ms }) => `${number((100 * ms) / (ledger + queue + agent))} %`],
      ]);
      return [{ title: fr`Une tâche seule : ${milliseconds(total)} (p99 ${milliseconds(p99)})`, table }];
    },
  });

const rates = (
  bench: Workbench,
  stage: JobsStage,
  { queuedCount, singleCount, rounds }: Counts & { rounds: number },
) => {
  const run = () => measureRate(bench, stage, queuedCount);
  return measure({
    title: fr`Tâches vides : registre, répartiteur, file, agent, fin`,
    contenders: {
      one: { name: fr`un agent`, run },
      two: { name: fr`2 agents`, run, prepare: () => stage.addAgent() },
    },
    rounds,
    isInSequence: true,
    // The middle round has processor times of its own.
    summarize: (samples) =>
      medians(
        samples
          .toSorted((a, b) => a.perSecond - b.perSecond)
          .slice(Math.floor(rounds / 2))
          .slice(0, 1),
      ),
    columns: () => [['par seconde', ({ perSecond }) => number(perSecond)]],
    lines: ({ one }) => [aim(fr`tâches par seconde d’un agent`, one.perSecond, '≥', 400, number)],
    reports: (results) => {
      const all = Object.values(results);
      const names = [...new Set(all.flatMap(({ cpuMs }) => Object.keys(cpuMs)))];
      const rows = names.map((name) => [name, ...all.map(({ cpuMs }) => cpuMs[name] ?? 0)] as const);
      return [
        {
          title: fr`Processeur par tâche`,
          table: [
            ['', ...all.map(({ name }) => name)],
            ...rows
              .filter(([, ...cpuMs]) => cpuMs.some((ms) => ms >= minProcessorMs))
              .map(([name, ...cpuMs]) => [name, ...cpuMs.map((ms) => `${number(ms, 2)}\u00a0ms`)]),
          ],
          note: fr`
  ${number(queuedCount)} tâches en attente sur 50 serveurs, 3 à la fois sur chacun, 16 par agent : de la première confiée à la dernière
  finie. Une tâche seule : ${singleCount}, l’une après l’autre, demandées par l’API. Chacune est écrite, répartie, réveillée par Redis,
  confiée, finie, sans aucun travail sur un hôte. Celles qui arrivent ensemble à l’agent sont confiées par un seul appel et une
  seule transaction.`,
        },
      ];
    },
  });
};

/** Six operations at once leave processor time free with two agents and the hosts. Sixteen are the default. */
const waits = (bench: Workbench, { product, token, addAgent }: JobsStage, perSite: number): Measure => {
  let hosts: Awaited<ReturnType<typeof openWaitingHosts>> = [];
  const contender = (agents: number, max: number) => ({
    name: agents === 1 ? fr`un agent, ${max} à la fois` : fr`${agents} agents`,
    prepare: async () => {
      if (hosts.length === 0) hosts = await openWaitingHosts(bench, product, token);
      if (agents === 1) await Promise.all(product.processesOf('ssh-agent').map((agent) => agent.kill('SIGTERM')));
      await addAgent({ VIGIE_AGENT_OPERATIONS: String(max) });
    },
    run: () => measureWaits(bench, product, hosts, perSite),
  });
  return measure({
    title: fr`Opérations qui attendent leur hôte ${waitSeconds} s chacune, par le journal d’opérations d’un vrai sshd`,
    contenders: {
      single: contender(1, 6),
      double: contender(2, 6),
      singleByDefault: contender(1, 16),
      doubleByDefault: contender(2, 16),
    },
    isInSequence: true,
    columns: () => [
      ['par seconde', ({ perSecond }) => number(perSecond, 1)],
      ['processeurs pris', ({ busy }) => `${number(100 * busy)} %`],
    ],
    lines: ({ single, double }) => [
      aim(fr`le double d’agents en fait`, double.perSecond / single.perSecond, '≥', 1.9, times),
    ],
    note: fr`
  Tant que la machine, qui est aussi tous les hôtes, n’y est pas prise tout entière. Le premier et le dernier dixième ne
  comptent pas : il y a là moins d’opérations que les agents n’en prennent.`,
  });
};

/** Milliseconds in each stage of one job while nothing else waits. */
type Hops = { ledger: number; queue: number; agent: number; total: number; p99: number };

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

type Rate = { perSecond: number; cpuMs: Readonly<Record<string, number>> };

/** All jobs wait from the start. */
async function measureRate(bench: Workbench, stage: JobsStage, count: number): Promise<Rate> {
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
  return { perSecond: count / seconds, cpuMs };
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
