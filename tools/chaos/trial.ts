import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fr, seconds as inSeconds } from '../terminal';
import { audit, type Effect, type Evidence, type Finding, type Told } from './audit';
import { countLine } from './columns';
import { Crowd } from './crowd';
import { choose, lasting } from './choose';
import type { Need } from './faults';
import { lie } from './liar';
import type { Programs } from './programs';
import { Random } from './random';
import { Soak } from './soak';
import { Stage } from './stage';
import type { Trial } from './verdict';
import type { Whole } from './whole';
import { auditWhole, weigh } from './whole-audit';

export type Plan = {
  seed: number;
  orders: number;
  faults: number;
  /** The whole product, and the faults that last longer than a lease. */
  isLong: boolean;
  programs: Programs;
  /** What this machine has not: faults that need it are left out, since they would strike nothing. */
  lacking: readonly Need[];
  /** A fault each minute, for so many, with people who take their time, and a look at what processes hold. */
  soakMinutes?: number | undefined;
};

type Options = Record<'log' | 'step', (line: string) => void>;

/** Whatever was felled, its work goes on within this time; work on real sites may wait for its turn. */
const [healMs, wholeHealMs] = [60_000, 150_000];
const settleMs = 10_000;
/** Longer than a lease, until whose end all that is open may be held by whoever was felled; and once that was for nothing. */
const [meetMs, meetAgainMs] = [40_000, 5_000];
const soakEveryMs = 60_000;

/** Orders work, strikes the product meanwhile, and compares what it says afterwards with what was done. */
export async function tryOut(plan: Plan, { log, step }: Options): Promise<Trial> {
  const random = new Random(plan.seed);
  const stage = await Stage.open(plan.programs, plan.isLong, step);
  try {
    step(fr`Relève ce qu’il y a avant les opérations…`);
    const crowd = await Crowd.gather(stage, plan);
    const soak = plan.soakMinutes === undefined ? undefined : new Soak(stage);
    const [struck, over] = [new AbortController(), new AbortController()];
    const [reading, lying] = [crowd.read(over.signal), lie(stage, over.signal)];
    const ordering = crowd.orderAll(plan.orders, struck.signal);
    const inside = await strikeAll(stage, random, plan, step);
    struck.abort();
    step(fr`Attend la fin des demandes et le retour au repos…`);
    await ordering;
    const [{ ms, stuck }] = await Promise.all([heal(stage, plan.isLong ? wholeHealMs : healMs), crowd.leave()]);
    // What they left wrote its lines too.
    await heal(stage, settleMs);
    over.abort();
    await reading;
    await soak?.end();
    log(
      fr`${crowd.summary} ; ${plan.faults} fautes, dont ${inside} pendant une opération ; repos après ${inSeconds(ms)}.`,
    );
    step(fr`Compare ce qui a été dit et ce qui a été fait…`);
    const held = soak?.findings() ?? [];
    const found = unique([...(await findings(stage, crowd, await lying)), ...stuck, ...held]);
    for (const line of await tell(stage, found, soak)) log(line);
    if (inside * 2 < plan.faults) log(fr`✗ moins de la moitié des fautes ont frappé pendant une opération`);
    return { found, hasStruckWork: inside * 2 >= plan.faults };
  } finally {
    step(fr`Arrête ce qui a servi à l’épreuve…`);
    await stage.close();
  }
}

/** All that was found, and what it was found in. */
async function tell(stage: Stage, found: readonly Finding[], soak: Soak | undefined): Promise<string[]> {
  return [
    ...found.map(({ what, id }) => fr`✗ ${what} : ${id}`),
    ...(await dossiers(stage, found)),
    ...(stage.whole ? await stories(stage, stage.whole, found) : []),
    ...(stage.whole ? [...(await endings(stage)), await weigh(stage, stage.whole)] : []),
    ...momentsOf(stage),
    ...(soak?.lines() ?? []),
    countLine(found),
  ];
}

/** A moment that nobody came to has tried nothing. */
function momentsOf({ moments: { met, missed } }: Stage): string[] {
  const line = fr`${met} moments choisis ont été atteints, ${missed.length} ne sont pas venus à temps`;
  return [...(met + missed.length > 0 ? [line] : []), ...missed.map((name) => `  ${name}`)];
}

/** What lies all the time is one finding. */
const unique = (found: readonly Finding[]) => [...new Map(found.map((one) => [`${one.what} ${one.id}`, one])).values()];

/** How many of the faults fell while an operation was under way on a host. */
async function strikeAll(stage: Stage, random: Random, plan: Plan, step: Options['step']): Promise<number> {
  let inside = 0;
  let patienceMs = meetMs;
  const under: Promise<void>[] = [];
  const since = performance.now();
  const faults = choose(random, plan);
  for (const [n, fault] of faults.entries()) {
    const due = since + (n + 1) * soakEveryMs;
    await wait(plan.soakMinutes === undefined ? random.between(300, 1_500) : Math.max(0, due - performance.now()));
    const running = await countUnderWay(stage, patienceMs);
    patienceMs = running > 0 ? meetMs : meetAgainMs;
    if (running > 0) inside += 1;
    step(fr`faute ${n + 1} sur ${faults.length} : ${fault.name} (${running} opérations en cours)`);
    const struck = fault.strike(stage, random);
    if (lasting.includes(fault)) under.push(struck);
    else await struck;
  }
  await Promise.all(under);
  return inside;
}

/** A fault that meets nothing tries nothing: it waits a little for something to meet. */
async function countUnderWay(stage: Stage, patienceMs: number): Promise<number> {
  for (const until = performance.now() + patienceMs; ; await wait(50)) {
    const real = stage.whole?.fleet.host.left().length ?? 0;
    const running = stage.hosts.flatMap((host) => underWay(host.effects())).length + Math.min(real, 1);
    if (running > 0 || performance.now() > until) return running;
  }
}

const underWay = (effects: readonly Effect[]) => {
  const ended = new Set(effects.flatMap(({ what, id }) => (what === 'begin' ? [] : [id])));
  return effects.filter(({ what, id }) => what === 'begin' && !ended.has(id));
};

/** Waits until nothing is open: how long that took, or as long as it may, and what nobody held in the meantime. */
async function heal(stage: Stage, max: number): Promise<{ ms: number; stuck: Finding[] }> {
  const since = performance.now();
  let stuck: Finding[] | undefined;
  for (;;) {
    const ms = performance.now() - since;
    if (ms > healMs && !stuck) stuck = await unheld(stage).catch(() => undefined);
    if (ms > max || !(await isBusy(stage).catch(() => true))) return { ms, stuck: stuck ?? [] };
    await wait(250);
  }
}

/** A minute after the last fault whatever is open waits for its turn, or somebody holds it. */
async function unheld(stage: Stage): Promise<Finding[]> {
  const rows = await stage.query<{ id: string }>(
    `select id from sites.jobs where state in ('queued', 'running') and not is_batch
       and case when dispatched_at is null then not_before < now() - interval '60 seconds' and state = 'running'
         else lease_until < now() - interval '15 seconds' end`,
  );
  return rows.map(({ id }) => ({ what: 'sans bail', id }));
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

async function findings(stage: Stage, crowd: Crowd, believed: Evidence['believed']): Promise<Finding[]> {
  const ledger = await stage.query<Told>(
    `select id, kind, state, cancel_asked_at is not null as "isCancelAsked", result->>'said' as said from sites.jobs`,
  );
  const found = audit({
    accepted: crowd.accepted,
    ledger,
    effects: stage.hosts.map((host) => host.effects()),
    disks: stage.hosts.map((host) => host.disk()),
    believed,
    leftovers: await settledLeftovers(stage),
  });
  const whole = stage.whole ? await auditWhole(stage, stage.whole, crowd) : [];
  return [...found, ...whole, ...(await crowd.findings())];
}

const maxDossiers = 6;
const aReference = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What is known of these jobs, for whoever looks for the reason. */
async function dossiers(stage: Stage, found: readonly Finding[]): Promise<string[]> {
  const rows = await stage.query<{ text: string }>(
    `select row_to_json(j)::text as text from (
       select id, kind, state, attempts, claimed_attempt, claims, fence, agent, dispatched_at, lease_until, not_before,
         cancel_asked_at, created_at, started_at, finished_at, error, now() as asked_at,
         (select json_agg(l.at || ' ' || l.text order by l.seq) from sites.job_log l where l.job_id = j.id) as log
       from sites.jobs j where j.id::text = any($1)) j`,
    [found.flatMap(({ id }) => id.match(aReference) ?? []).slice(0, maxDossiers)],
  );
  // What somebody was told is in a log, under that word.
  const words = found.flatMap(({ id }) => id.match(aReference) ?? []);
  return [
    ...rows.map(({ text }) => text),
    ...stage.said.filter((line) => line.includes('"level":50') && words.some((word) => line.includes(word))),
  ];
}

/** How work ended, by its kind, and what the ledger says that it does not know: no lie, and still worth a look. */
async function endings(stage: Stage): Promise<string[]> {
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

/** All that was said of the sites that are not as they should be, in its order. */
async function stories(stage: Stage, { sites }: Whole, found: readonly Finding[]): Promise<string[]> {
  const wrong = sites.filter(({ site }) => found.some(({ id }) => id.startsWith(`${site.name} `)));
  const rows = await stage.query<{ text: string }>(
    `select concat_ws(' ', right(site_id::text, 4), finished_at::time, kind, input->'item'->>'slug', input->>'filename', state,
       error->>'code', result->>'from', result->>'to', result->>'status', result->>'filename',
       result->'safety'->>'filename', id) as text
     from sites.jobs where site_id::text = any($1) and not is_batch order by site_id, finished_at, id`,
    [wrong.map(({ id }) => id)],
  );
  return [...wrong.map(({ id, site }) => `${id.slice(-4)} : ${site.name}`), ...rows.map(({ text }) => text)];
}

/** What has just ended may be on its way out: only what stays is left. */
async function settledLeftovers(stage: Stage): Promise<string[]> {
  for (const until = performance.now() + settleMs; ; await wait(250)) {
    const left = await leftovers(stage);
    if (left.length === 0 || performance.now() > until) return left;
  }
}

async function leftovers(stage: Stage): Promise<string[]> {
  const held = await stage.query<{ id: string }>(
    'select id from sites.jobs where lease_until is not null or dispatched_at is not null or access is not null',
  );
  const sessions = await stage.query<{ id: string }>(
    `select application_name || ' ' || query as id from pg_stat_activity
     where state like 'idle in transaction%' and state_change < now() - interval '10 seconds'`,
  );
  const parts = stage.hosts.flatMap(({ sites }) =>
    sites.flatMap(({ path }) => readdirSync(path).filter((name) => name.endsWith('.part'))),
  );
  return [...[...held, ...sessions].map(({ id }) => id), ...parts, ...runners(stage)];
}

/** Processes of operations that are over. */
function runners(stage: Stage): string[] {
  const homes = stage.hosts.map(({ sshd }) => sshd.home);
  return readdirSync('/proc').flatMap((pid) => {
    const file = `/proc/${pid}/cmdline`;
    if (!/^\d+$/.test(pid) || !existsSync(file)) return [];
    try {
      const line = readFileSync(file, 'utf8').replaceAll('\0', ' ');
      return homes.some((home) => line.includes(`${home}/.vigie`)) ? [line] : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}
