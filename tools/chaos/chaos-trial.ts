import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fr, seconds as inSeconds } from '../terminal';
import { audit, type Effect, type Evidence, type Finding, type ReportedJob } from './audit';
import { countLine } from './columns';
import { Crowd } from './crowd';
import { chooseFaults, lastingFaults } from './choose-faults';
import type { Need } from './faults';
import { runStaleWorker } from './stale-worker';
import type { Programs } from './programs';
import { Random } from './random';
import { Soak } from './soak';
import { Stage } from './stage';
import type { TrialResult } from './verdict';
import type { WholeStage } from './whole-stage';
import { auditWhole, describeEvidence } from './whole-audit';

export type Plan = {
  seed: number;
  orders: number;
  faults: number;
  /** A long trial runs the whole product, and faults that last longer than a lease. */
  isLong: boolean;
  programs: Programs;
  /** Requirements that this machine lacks; their faults are left out. */
  missingNeeds: readonly Need[];
  /** Runs a soak: one fault per minute for this time, at half the load, and judges the resources of processes. */
  soakMinutes?: number | undefined;
};

type Options = Record<'log' | 'step', (line: string) => void>;

/** Work must continue within this time after a fault; jobs on real sites may wait longer. */
const [recoveryMs, wholeRecoveryMs] = [60_000, 150_000];
const settleMs = 10_000;
/** How long a fault waits for running work: longer than a lease of a killed process, then shorter after a wait in vain. */
const [workWaitMs, shortWorkWaitMs] = [40_000, 5_000];
const soakEveryMs = 60_000;

/** Orders jobs, causes faults meanwhile, and compares the reported results with the real effects. */
export async function runChaosTrial(plan: Plan, { log, step }: Options): Promise<TrialResult> {
  const random = new Random(plan.seed);
  const stage = await Stage.open(plan.programs, plan.isLong, step);
  try {
    step(fr`Relève ce qu’il y a avant les opérations…`);
    const crowd = await Crowd.create(stage, plan);
    const soak = plan.soakMinutes === undefined ? undefined : new Soak(stage);
    const [strike, endOfTrial] = [new AbortController(), new AbortController()];
    const [readingLists, staleWorker] = [crowd.read(endOfTrial.signal), runStaleWorker(stage, endOfTrial.signal)];
    const orders = crowd.orderAll(plan.orders, strike.signal);
    const faultsDuringWork = await strikeAll(stage, random, plan, step);
    strike.abort();
    step(fr`Attend la fin des demandes et le retour au repos…`);
    await orders;
    const [{ ms, stuck }] = await Promise.all([
      waitForRecovery(stage, plan.isLong ? wholeRecoveryMs : recoveryMs),
      crowd.closeConsoles(),
    ]);
    // Closed consoles write audit lines, too.
    await waitForRecovery(stage, settleMs);
    endOfTrial.abort();
    await readingLists;
    await soak?.end();
    log(
      fr`${crowd.summary} ; ${plan.faults} fautes, dont ${faultsDuringWork} pendant une opération ; repos après ${inSeconds(ms)}.`,
    );
    step(fr`Compare ce qui a été dit et ce qui a été fait…`);
    const unreleased = soak?.findings() ?? [];
    const findings = deduplicate([
      ...(await collectFindings(stage, crowd, await staleWorker)),
      ...stuck,
      ...unreleased,
    ]);
    for (const line of await describeFindings(stage, findings, soak)) log(line);
    if (faultsDuringWork * 2 < plan.faults) log(fr`✗ moins de la moitié des fautes ont frappé pendant une opération`);
    return { findings, hasHitWork: faultsDuringWork * 2 >= plan.faults };
  } finally {
    step(fr`Arrête ce qui a servi à l’épreuve…`);
    await stage.close();
  }
}

async function describeFindings(stage: Stage, findings: readonly Finding[], soak: Soak | undefined): Promise<string[]> {
  return [
    ...findings.map(({ kind, id }) => fr`✗ ${kind} : ${id}`),
    ...(await describeJobs(stage, findings)),
    ...(stage.whole ? await describeSites(stage, stage.whole, findings) : []),
    ...(stage.whole ? [...(await describeResults(stage)), await describeEvidence(stage, stage.whole)] : []),
    ...describeMoments(stage),
    ...(soak?.describe() ?? []),
    countLine(findings),
  ];
}

function describeMoments({ moments: { reached, missed } }: Stage): string[] {
  const line = fr`${reached} moments choisis ont été atteints, ${missed.length} ne sont pas venus à temps`;
  return [...(reached + missed.length > 0 ? [line] : []), ...missed.map((name) => `  ${name}`)];
}

const deduplicate = (findings: readonly Finding[]) => [
  ...new Map(findings.map((finding) => [`${finding.kind} ${finding.id}`, finding])).values(),
];

/** Causes the faults; resolves to how many of them hit a running operation. */
async function strikeAll(stage: Stage, random: Random, plan: Plan, step: Options['step']): Promise<number> {
  let faultsDuringWork = 0;
  let waitMs = workWaitMs;
  const longFaults: Promise<void>[] = [];
  const startedAt = performance.now();
  const faults = chooseFaults(random, plan);
  for (const [n, fault] of faults.entries()) {
    const due = startedAt + (n + 1) * soakEveryMs;
    await wait(plan.soakMinutes === undefined ? random.between(300, 1_500) : Math.max(0, due - performance.now()));
    const running = await waitForWork(stage, waitMs);
    waitMs = running > 0 ? workWaitMs : shortWorkWaitMs;
    if (running > 0) faultsDuringWork += 1;
    step(fr`faute ${n + 1} sur ${faults.length} : ${fault.name} (${running} opérations en cours)`);
    const strike = fault.strike(stage, random);
    if (lastingFaults.includes(fault)) longFaults.push(strike);
    else await strike;
  }
  await Promise.all(longFaults);
  return faultsDuringWork;
}

/** Waits for running operations, because a fault without any tests nothing; resolves to their number. */
async function waitForWork(stage: Stage, waitMs: number): Promise<number> {
  for (const deadline = performance.now() + waitMs; ; await wait(50)) {
    const realOperations = stage.whole?.fleet.host.userProcesses().length ?? 0;
    const running = stage.hosts.flatMap((host) => findRunning(host.effects())).length + Math.min(realOperations, 1);
    if (running > 0 || performance.now() > deadline) return running;
  }
}

const findRunning = (effects: readonly Effect[]) => {
  const ended = new Set(effects.flatMap(({ kind, id }) => (kind === 'begin' ? [] : [id])));
  return effects.filter(({ kind, id }) => kind === 'begin' && !ended.has(id));
};

/** Waits until all jobs are finished; resolves to the duration and the jobs without a worker. */
async function waitForRecovery(stage: Stage, max: number): Promise<{ ms: number; stuck: Finding[] }> {
  const startedAt = performance.now();
  let stuck: Finding[] | undefined;
  for (;;) {
    const ms = performance.now() - startedAt;
    if (ms > recoveryMs && !stuck) stuck = await findUnleasedJobs(stage).catch(() => undefined);
    if (ms > max || !(await isBusy(stage).catch(() => true))) return { ms, stuck: stuck ?? [] };
    await wait(250);
  }
}

/** A minute after the last fault, every open job must be waiting for its turn or have a worker. */
async function findUnleasedJobs(stage: Stage): Promise<Finding[]> {
  const rows = await stage.query<{ id: string }>(
    `select id from sites.jobs where state in ('queued', 'running') and not is_batch
       and case when dispatched_at is null then not_before < now() - interval '60 seconds' and state = 'running'
         else lease_until < now() - interval '15 seconds' end`,
  );
  return rows.map(({ id }) => ({ kind: 'sans bail', id }));
}

async function isBusy(stage: Stage): Promise<boolean> {
  const open = await stage.query("select id from sites.jobs where state in ('queued', 'running')");
  if (open.length > 0 || !stage.whole) return open.length > 0;
  const others = await stage.query(
    `select 1 from dns.intents union all select 1 from dns.audit_pending union all select 1 from sites.audit_pending
     union all select 1 from auth.audit_pending`,
  );
  return others.length > 0;
}

async function collectFindings(
  stage: Stage,
  crowd: Crowd,
  wronglyAccepted: Evidence['wronglyAccepted'],
): Promise<Finding[]> {
  const ledger = await stage.query<ReportedJob>(
    `select id, kind, state, cancel_asked_at is not null as "isCancelAsked", result->>'said' as output from sites.jobs`,
  );
  const findings = audit({
    accepted: crowd.accepted,
    ledger,
    effects: stage.hosts.map((host) => host.effects()),
    disks: stage.hosts.map((host) => host.disk()),
    wronglyAccepted,
    leftovers: await waitForLeftovers(stage),
  });
  const whole = stage.whole ? await auditWhole(stage, stage.whole, crowd) : [];
  return [...findings, ...whole, ...(await crowd.findings())];
}

const maxJobs = 6;
const uuidPattern = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function describeJobs(stage: Stage, findings: readonly Finding[]): Promise<string[]> {
  const rows = await stage.query<{ text: string }>(
    `select row_to_json(j)::text as text from (
       select id, kind, state, attempts, claimed_attempt, claims, fence, agent, dispatched_at, lease_until, not_before,
         cancel_asked_at, created_at, started_at, finished_at, error, now() as asked_at,
         (select json_agg(l.at || ' ' || l.text order by l.seq) from sites.job_log l where l.job_id = j.id) as log
       from sites.jobs j where j.id::text = any($1)) j`,
    [findings.flatMap(({ id }) => id.match(uuidPattern) ?? []).slice(0, maxJobs)],
  );
  // Errors in the logs contain the same reference as the answer.
  const references = findings.flatMap(({ id }) => id.match(uuidPattern) ?? []);
  return [
    ...rows.map(({ text }) => text),
    ...stage.logLines.filter(
      (line) => line.includes('"level":50') && references.some((reference) => line.includes(reference)),
    ),
  ];
}

/** Counts the results by kind of job, and the reasons of failed and unknown ones. */
async function describeResults(stage: Stage): Promise<string[]> {
  const rows = await stage.query<{ text: string }>(
    `select kind || ' ' || string_agg(state || ' ' || n, ', ' order by state) as text
     from (select kind, state, count(*) as n from sites.jobs where not is_batch group by kind, state) s group by kind order by kind`,
  );
  const reasons = await stage.query<{ text: string }>(
    `select kind || ' ' || state || ' ' || count(*) || ' × ' || coalesce(error->>'message', '') as text from sites.jobs
     where state in ('failed', 'unknown') and not is_batch and kind not like 'trial.%' group by kind, state, error->>'message' order by 1`,
  );
  return [...rows, ...reasons].map(({ text }) => text);
}

async function describeSites(stage: Stage, { sites }: WholeStage, findings: readonly Finding[]): Promise<string[]> {
  const affectedSites = sites.filter(({ site }) => findings.some(({ id }) => id.startsWith(`${site.name} `)));
  const rows = await stage.query<{ text: string }>(
    `select concat_ws(' ', right(site_id::text, 4), finished_at::time, kind, input->'item'->>'slug', input->>'filename', state,
       error->>'code', result->>'from', result->>'to', result->>'status', result->>'filename',
       result->'safety'->>'filename', id) as text
     from sites.jobs where site_id::text = any($1) and not is_batch order by site_id, finished_at, id`,
    [affectedSites.map(({ id }) => id)],
  );
  return [...affectedSites.map(({ id, site }) => `${id.slice(-4)} : ${site.name}`), ...rows.map(({ text }) => text)];
}

/** Waits a little for leftovers to disappear, because jobs may just have ended. */
async function waitForLeftovers(stage: Stage): Promise<string[]> {
  for (const deadline = performance.now() + settleMs; ; await wait(250)) {
    const leftovers = await findLeftovers(stage);
    if (leftovers.length === 0 || performance.now() > deadline) return leftovers;
  }
}

async function findLeftovers(stage: Stage): Promise<string[]> {
  const unreleased = await stage.query<{ id: string }>(
    'select id from sites.jobs where lease_until is not null or dispatched_at is not null or access is not null',
  );
  const sessions = await stage.query<{ id: string }>(
    `select application_name || ' ' || query as id from pg_stat_activity
     where state like 'idle in transaction%' and state_change < now() - interval '10 seconds'`,
  );
  const parts = stage.hosts.flatMap(({ sites }) =>
    sites.flatMap(({ path }) => readdirSync(path).filter((name) => name.endsWith('.part'))),
  );
  return [...[...unreleased, ...sessions].map(({ id }) => id), ...parts, ...findOperationProcesses(stage)];
}

function findOperationProcesses(stage: Stage): string[] {
  const homes = stage.hosts.map(({ sshd }) => sshd.home);
  return readdirSync('/proc').flatMap((pid) => {
    const file = `/proc/${pid}/cmdline`;
    if (!/^\d+$/.test(pid) || !existsSync(file)) return [];
    try {
      const line = readFileSync(file, 'utf8').replaceAll('\0', ' ');
      return homes.some((home) => line.includes(`${home}/.vigie`)) ? [line] : [];
    } catch {
      // The process has ended meanwhile.
      return [];
    }
  });
}
