import { seedFleet } from '@vigie/testing/seed';
import { TestProduct } from '@vigie/testing/product';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../start/build';
import { withPrivateServers } from '../private-servers';
import { fr, Refusal } from '../terminal';
import { runTrial, step } from '../trials';
import { coresBetween, Processors } from './processors';
import { Responder } from './responder';

const help = fr`Surveille dix mille sites d’un répondeur local, chaque minute, par le produit entier : mesure ce que cela coûte et le retard
des visites, fait taire mille sites d’un coup, puis coupe le réseau, et compare les incidents à ce qui s’est passé.

  npm run lookout [-- --sites N] [--minutes N]

  --sites N     tant de sites, dix par serveur (10000)
  --minutes N   la durée de la mesure au calme (6)
`;

const [maxCores, maxLagMs, maxGrowth] = [1, 5_000, 1.15];
const minuteMs = 60_000;
const apps = ['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'] as const;

type Plan = { sites: number; minutes: number };

function readPlan(args: readonly string[]): Plan {
  const plan = { sites: 10_000, minutes: 6 };
  for (let index = 0; index < args.length; index += 2) {
    const [word = '', next = ''] = [args[index], args[index + 1]];
    const name = word.replace(/^--/, '');
    if (!Object.hasOwn(plan, name) || !/^[1-9]\d{0,5}$/.test(next))
      throw new Refusal(fr`Option inconnue : ${`${word} ${next}`.trim()} (npm run lookout -- --help les donne).`);
    plan[name as keyof Plan] = Number(next);
  }
  return plan;
}

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const plan = readPlan(args);
  await build(step, process.env, signal);
  const others = Processors.findOthers();
  return withPrivateServers(signal, async () => {
    const responder = await Responder.start();
    const env = { VIGIE_VISIT_SECONDS: '60', VIGIE_CANARY_URLS: `${responder.url}/canary` };
    const product = await TestProduct.start(apps, env);
    try {
      const lookout = new Lookout(product, responder, Processors.of(product, others), plan);
      await lookout.run(signal);
      return lookout.end();
    } finally {
      responder.close();
      await product.stop();
    }
  });
}

type Counts = { outages: number; network: number; subjects: number };

class Lookout {
  private readonly faults: string[] = [];

  constructor(
    private readonly product: TestProduct,
    private readonly responder: Responder,
    private readonly processors: Processors,
    private readonly plan: Plan,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    const { sites, minutes } = this.plan;
    const pause = (ms: number) => sleep(ms, undefined, { signal });
    step(fr`Enregistre ${sites} sites…`);
    await this.seed();
    step(fr`Attend que chacun ait été visité…`);
    await pause(1.5 * minuteMs);
    step(fr`Mesure pendant ${minutes} min…`);
    await this.measure(minutes, pause);
    const silent = Math.round(sites / 10);
    step(fr`Fait taire ${silent} sites de ${silent / 10} serveurs…`);
    const goesOn = (site: number) => site >= silent;
    this.responder.silence((site) => !goesOn(site));
    const since = Date.now();
    await this.expect({ outages: silent / 10, network: 0, subjects: silent }, 5, pause);
    await this.judgeLag(since, goesOn, fr`des autres, quand ${silent} se taisent`);
    this.responder.silence(() => false);
    await this.expect({ outages: 0, network: 0, subjects: 0 }, 5, pause);
    step(fr`Coupe le réseau…`);
    this.responder.cut(true);
    await this.expect({ outages: 0, network: 1, subjects: 1 }, 5, pause);
    await pause(3 * minuteMs);
    await this.expect({ outages: 0, network: 1, subjects: 1 }, 1, pause);
    this.responder.cut(false);
    await this.expect({ outages: 0, network: 0, subjects: 0 }, 5, pause);
    await this.expectTotals(silent / 10 + 1);
  }

  end(): number {
    for (const fault of this.faults) console.log(fr`✗ ${fault}`);
    console.log(this.faults.length === 0 ? fr`Rien trouvé.` : fr`${this.faults.length} constats.`);
    return this.faults.length === 0 ? 0 : 1;
  }

  private query = <T extends object>(sql: string, values: unknown[] = []) =>
    this.product.database.query<T>(sql, values);

  /** Sites of one server follow each other, and are visited at moments spread over the minute. */
  private async seed(): Promise<void> {
    const { sites } = this.plan;
    const { rows } = await this.query<{ id: string }>('select id from auth.users');
    const sizes = { servers: sites / 10, sites, plugins: 0, groups: 0 };
    const owner = rows[0]?.id ?? '';
    await seedFleet((sql, values) => this.query(sql, values), owner, sizes);
    // The responder has a private address.
    await this.query('insert into sites.owners (user_id, is_admin) values ($1, true) on conflict do nothing', [owner]);
    await this.query(
      `update sites.sites s set http = null, name = 'site-' || n, url = $1 || '/s/' || n from (
         select id, row_number() over (order by server_id, id) - 1 as n from sites.sites) numbered where s.id = numbered.id`,
      [this.responder.url],
    );
    await this.query(
      "insert into sites.sweeps (kind, target_id, next_at) select 'site-visit', id, now() + random() * interval '1 minute' from sites.sites",
    );
    await this.query('vacuum analyze');
    for (let site = 0; site < sites; site += 1) this.responder.requests.set(site, []);
  }

  private async measure(minutes: number, pause: (ms: number) => Promise<void>): Promise<void> {
    const since = Date.now();
    const first = this.processors.read();
    await pause(minuteMs);
    const early = this.processors.read();
    await pause((minutes - 1) * minuteMs);
    const last = this.processors.read();
    const cores = coresBetween(first, last);
    const total = cores.reduce((sum, [, used]) => sum + used, 0);
    for (const [name, used] of cores) {
      const [before = 0, after = 0] = [early.megabytes.get(name), last.megabytes.get(name)];
      console.log(fr`  ${name.padEnd(14)} ${used.toFixed(3)} cœur, ${before.toFixed(0)} puis ${after.toFixed(0)} Mo`);
      const isOurs = apps.some((app) => app === name);
      if (isOurs && after > before * maxGrowth)
        this.faults.push(fr`${name} a grossi de ${before.toFixed(0)} à ${after.toFixed(0)} Mo`);
    }
    console.log(fr`  en tout        ${total.toFixed(3)} cœur`);
    if (total > maxCores)
      this.faults.push(fr`${total.toFixed(2)} cœurs pour ${this.plan.sites} sites : ${maxCores} au plus`);
    await this.judgeLag(since, () => true, fr`des visites`);
  }

  /** A visit is planned at the same second of each minute. */
  private async judgeLag(since: number, isJudged: (site: number) => boolean, title: string): Promise<void> {
    const { rows } = await this.query<{ site: number; planned: string }>(
      `select split_part(s.url, '/', 5)::int as site, (extract(epoch from w.next_at) * 1000)::bigint::text as planned
       from sites.sweeps w join sites.sites s on s.id = w.target_id where w.kind = 'site-visit'`,
    );
    const until = Date.now();
    const lags: number[] = [];
    let missing = 0;
    for (const { site, planned } of rows.filter((row) => isJudged(row.site))) {
      const times = (this.responder.requests.get(site) ?? []).filter((at) => at >= since && at < until);
      // One more or less falls out at either end.
      missing += Math.max(0, Math.floor((until - since) / minuteMs) - 1 - times.length);
      for (const at of times) lags.push((((at - Number(planned)) % minuteMs) + minuteMs) % minuteMs);
    }
    lags.sort((one, other) => one - other);
    const at = (share: number) =>
      lags[Math.min(lags.length - 1, Math.floor(share * lags.length))] ?? Number.POSITIVE_INFINITY;
    console.log(
      fr`  retard ${title} : p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, pire ${at(1).toFixed(0)} ms (${lags.length} visites)`,
    );
    if (at(0.99) > maxLagMs) this.faults.push(fr`retard ${title} : ${at(0.99).toFixed(0)} ms au p99`);
    if (missing > 0) this.faults.push(fr`${missing} visites manquent`);
  }

  private async count(): Promise<Counts> {
    const { rows } = await this.query<Counts>(
      `select count(distinct i.id) filter (where i.kind = 'outage')::int as outages,
         count(distinct i.id) filter (where i.kind = 'network')::int as network, count(m.subject_id)::int as subjects
       from sites.incidents i join sites.incident_subjects m on m.incident_id = i.id and m.until is null
       where i.resolved_at is null`,
    );
    return rows[0] ?? { outages: -1, network: -1, subjects: -1 };
  }

  private async expect(wanted: Counts, minutes: number, pause: (ms: number) => Promise<void>): Promise<void> {
    const startedAt = Date.now();
    const spelled = ({ outages, network, subjects }: Counts) =>
      fr`${outages} pannes, ${network} coupure de Vigie, ${subjects} touchés`;
    for (;;) {
      const found = spelled(await this.count());
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      if (found === spelled(wanted)) return console.log(fr`  après ${seconds} s : ${found}`);
      if (seconds > minutes * 60)
        return void this.faults.push(fr`après ${seconds} s : ${found}, au lieu de ${spelled(wanted)}`);
      await pause(1_000);
    }
  }

  private async expectTotals(wanted: number): Promise<void> {
    const { rows } = await this.query<{ n: number; open: number }>(
      `select count(*)::int as n, count(*) filter (where resolved_at is null)::int as open from sites.incidents`,
    );
    const { n = -1, open = -1 } = rows[0] ?? {};
    if (n !== wanted || open !== 0)
      this.faults.push(fr`${n} incidents en tout, dont ${open} ouverts, au lieu de ${wanted}`);
  }
}

await runTrial((signal) => main(process.argv.slice(2), signal));
