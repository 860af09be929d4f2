import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fr, seconds as inSeconds } from '../start/console';
import { audit, type Effect, type Evidence, type Told } from './audit';
import { type Fault, longFaults, shortFaults } from './faults';
import { lie } from './liar';
import { Orders } from './orders';
import type { Programs } from './programs';
import { Random } from './random';
import { Stage } from './stage';

export type Plan = {
  seed: number;
  orders: number;
  faults: number;
  /** With the faults that last longer than a lease. */
  isLong: boolean;
  programs: Programs;
};

type Options = { log: (line: string) => void; onOpen: (stage: Stage) => void };

/** Whatever was felled, its work goes on within this time. */
const healMs = 60_000;
const orderEveryMs = 300;
/** What waits longer than the healing may take would look like what is stuck. */
const mostOpen = 16;
const meetMs = 5_000;

/** Orders work, strikes the product meanwhile, and compares what it says afterwards with what was done. */
export async function tryOut(plan: Plan, { log, onOpen }: Options): Promise<boolean> {
  const random = new Random(plan.seed);
  const stage = await Stage.open(plan.programs);
  onOpen(stage);
  try {
    const people = new Orders(stage, new Random(plan.seed + 1), plan.isLong ? 1.2 : 0.8);
    const [struck, over] = [new AbortController(), new AbortController()];
    const [reading, lying] = [people.read(over.signal), lie(stage, over.signal)];
    const ordering = orderAll(stage, people, plan, struck.signal);
    const inside = await strikeAll(stage, random, plan, log);
    struck.abort();
    await ordering;
    const healed = await heal(stage);
    over.abort();
    await reading;
    log(
      fr`${people.summary} ; ${plan.faults} fautes, dont ${inside} pendant une opération ; repos après ${inSeconds(healed)}.`,
    );
    const found = await findings(stage, people, await lying);
    for (const { what, id } of found) log(fr`✗ ${what} : ${id}`);
    for (const line of await dossiers(stage, found.slice(0, 3))) log(line);
    if (inside * 2 < plan.faults) log(fr`✗ moins de la moitié des fautes ont frappé pendant une opération`);
    return found.length === 0 && inside * 2 >= plan.faults;
  } finally {
    await stage.close();
  }
}

/** So that there is always something under way, and never much that waits. */
async function orderAll(stage: Stage, people: Orders, { orders }: Plan, struck: AbortSignal): Promise<void> {
  for (let n = 0; n < orders || !struck.aborted; ) {
    // Where the ledger is away people go on ordering.
    if ((await countOpen(stage).catch(() => 0)) < mostOpen) {
      await people.order();
      n += 1;
    }
    await wait(orderEveryMs);
  }
}

async function countOpen(stage: Stage): Promise<number> {
  const open = await stage.query("select id from sites.jobs where state in ('queued', 'running')");
  return open.length;
}

/** How many of the faults fell while an operation was under way on a host. */
async function strikeAll(stage: Stage, random: Random, plan: Plan, log: Options['log']): Promise<number> {
  let inside = 0;
  const under: Promise<void>[] = [];
  const faults = choose(random, plan);
  for (const [n, fault] of faults.entries()) {
    await wait(random.between(300, 1_500));
    const running = await countUnderWay(stage);
    if (running > 0) inside += 1;
    log(fr`${`${n + 1}`.padStart(3)}. ${fault.name} (${running} opérations en cours)`);
    const struck = fault.strike(stage, random);
    if (longFaults.includes(fault)) under.push(struck);
    else await struck;
  }
  await Promise.all(under);
  return inside;
}

function choose(random: Random, { faults, isLong }: Plan): Fault[] {
  const long = isLong ? Array.from({ length: Math.ceil(faults / 12) }, () => random.one(longFaults)) : [longFaults[0]];
  const rest = Array.from({ length: faults - long.length }, (_, n) =>
    n < shortFaults.length ? shortFaults[n] : random.one(shortFaults),
  );
  const all = rest.flatMap((fault) => fault ?? []);
  for (const fault of long) if (fault) all.splice(isLong ? Math.floor(random.next() * all.length) : 0, 0, fault);
  return all;
}

/** A fault that meets nothing tries nothing: it waits a little for something to meet. */
async function countUnderWay(stage: Stage): Promise<number> {
  for (const until = performance.now() + meetMs; ; await wait(50)) {
    const running = stage.hosts.flatMap((host) => underWay(host.effects())).length;
    if (running > 0 || performance.now() > until) return running;
  }
}

const underWay = (effects: readonly Effect[]) => {
  const ended = new Set(effects.flatMap(({ what, id }) => (what === 'begin' ? [] : [id])));
  return effects.filter(({ what, id }) => what === 'begin' && !ended.has(id));
};

/** Waits until nothing is open; how long that took, or as long as it may. */
async function heal(stage: Stage): Promise<number> {
  const since = performance.now();
  while (performance.now() - since < healMs && (await countOpen(stage).catch(() => 1)) > 0) await wait(250);
  return performance.now() - since;
}

async function findings(stage: Stage, people: Orders, believed: Evidence['believed']) {
  const ledger = await stage.query<Told>(
    `select id, kind, state, cancel_asked_at is not null as "isCancelAsked", result->>'said' as said from sites.jobs`,
  );
  const found = audit({
    accepted: people.accepted,
    ledger,
    effects: stage.hosts.map((host) => host.effects()),
    disks: stage.hosts.map((host) => host.disk()),
    believed,
    leftovers: await leftovers(stage),
  });
  return [...found, ...people.complaints.map((id) => ({ what: 'réponse', id }))];
}

/** What is known of these jobs, for whoever looks for the reason. */
async function dossiers(stage: Stage, found: readonly { id: string }[]): Promise<string[]> {
  const rows = await stage.query<{ text: string }>(
    `select row_to_json(j)::text as text from (
       select id, kind, state, attempts, claimed_attempt, claims, fence, agent, dispatched_at, lease_until, not_before,
         cancel_asked_at, created_at, started_at, finished_at, error, now() as asked_at,
         (select json_agg(l.at || ' ' || l.text order by l.seq) from sites.job_log l where l.job_id = j.id) as log
       from sites.jobs j where j.id::text = any($1)) j`,
    [found.map(({ id }) => id)],
  );
  const said = stage.product.processes.flatMap(({ process: { output } }) => output.split('\n'));
  return [
    ...rows.map(({ text }) => text),
    ...said.filter((line) => /unexpected error|was refused/.test(line)).slice(0, 20),
  ];
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
