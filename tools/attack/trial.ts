import { createHash } from 'node:crypto';
import { Random } from '../chaos/random';
import { fr } from '../start/console';
import { Files } from './archives';
import { fieldCase, type Making, type Target } from './cases';
import { faultsOf, isRefusal, secretsIn } from './judge';
import { mayPass, seesAll } from './people';
import { pooled } from './pooled';
import { Report } from './report';
import { wholeCase } from './requests';
import type { Route } from './routes';
import { type Answered, type Case, Sender } from './send';
import { attackConsoles, attackHosts } from './sides';
import type { Stage } from './stage';
import { changedTables, settledCounts } from './tables';
import { latestProbeMs, Watch } from './watch';
import { wireCase } from './wires';

export type Plan = { seed: number; requests: number; perRoute: number; isShort: boolean; only: string };

/** As much as a run of all tests has time for. */
export const shortPlan = { requests: 1, perRoute: 3, isShort: true, only: '' };

/** Not the address from which people log in: how often one may fail there is counted. */
const from = '127.0.0.66';
const atOnce = 16;
const targetsAtOnce = 6;
const mostResent = 600;
const leftMs = 15_000;

/** Whoever asks these is logged out, has another password or no zones: they come last. */
const endsMuch = /logout|sessions|2fa|password|cloudflare\/config/;

/** Sends what nobody should, and looks at what comes back, at what stays, and at who lives. */
export class Attack {
  readonly report = new Report();
  readonly watch: Watch;
  private readonly sender: Sender;
  private told = 0;

  private constructor(
    private readonly stage: Stage,
    private readonly plan: Plan,
    private readonly files: Files,
    private readonly log: (line: string) => void,
  ) {
    this.sender = new Sender(stage.product.gateways[0] ?? '', from);
    this.watch = new Watch(stage.product, () => this.report.sent);
  }

  static async on(stage: Stage, plan: Plan, log: (line: string) => void = () => undefined): Promise<Attack> {
    const attack = new Attack(stage, plan, await Files.make(), log);
    try {
      for (let round = 0; round === 0 || attack.report.sent < plan.requests; round += 1) {
        await attack.goRound(round);
      }
    } finally {
      await attack.watch.end();
      attack.sender.close();
    }
    await attack.lookBack();
    return attack;
  }

  private async goRound(round: number): Promise<void> {
    const { stage, plan } = this;
    const random = new Random(seedOf(plan.seed, round, 'round'));
    const routes = stage.routes.filter(({ key }) => key.includes(plan.only));
    const order = routes.toSorted((a, b) => Number(endsMuch.test(a.key)) - Number(endsMuch.test(b.key)));
    const refused: Case[] = [];
    const step = plan.isShort ? routes.length : 12;
    for (let at = 0; at < order.length; at += step) {
      await stage.renew();
      const some = order.slice(at, at + step);
      const targets = await pooled(some, targetsAtOnce, (route) => stage.target(route));
      const cases = targets.flatMap((target) => this.casesFor(target, round));
      refused.push(...(await this.sendAll(cases)));
      this.tell();
    }
    const resent = refused.toSorted(() => random.next() - 0.5).slice(0, mostResent);
    await this.resend(resent.filter(({ aim, wire }) => !endsMuch.test(aim) && wire === undefined));
    if (plan.only !== '') return;
    await stage.renew();
    const asking = attackConsoles(stage, random, this.report, plan.isShort).then((cases) => this.sendAll(cases));
    await Promise.all([asking, attackHosts(stage, random, this.report, plan.isShort)]);
  }

  /** A long attack may be ended by whoever has seen enough. */
  private tell(): void {
    const { sent, findings } = this.report;
    for (const line of findings.slice(this.told)) this.log(fr`✗ ${line}`);
    this.told = findings.length;
    this.log(fr`${sent} requêtes, ${findings.length} constats.`);
  }

  private casesFor(target: Target, round: number): Case[] {
    const { stage, plan } = this;
    const { route } = target;
    const random = new Random(seedOf(plan.seed, round, route.key));
    return Array.from({ length: plan.perRoute }, () => {
      const person = stage.people.some(random);
      const allowed = mayPass(person.name, route.access, target.isOwned);
      return this.caseOf({ target, person, mayPass: allowed, random, hostile: stage.hostile }, route);
    });
  }

  private caseOf(making: Making, route: Route): Case {
    const draw = making.random.next();
    if (draw < 0.06) return wireCase(making);
    if (draw < 0.35) return wholeCase(making);
    return route.takesFile ? this.files.case(making) : fieldCase(making);
  }

  /** Those that were refused. */
  private async sendAll(cases: readonly Case[]): Promise<Case[]> {
    const answers = await pooled(cases, atOnce, async (one) => ({ one, answer: await this.sendOne(one) }));
    return answers.flatMap(({ one, answer }) => (isRefusal(answer) ? [one] : []));
  }

  private async sendOne(one: Case): Promise<Answered> {
    const answer = await this.sender.send(one);
    const hidden = this.stage.planted.filter(({ owner }) => one.who !== seesAll || owner === undefined);
    this.report.note(one, answer, faultsOf(one, answer, hidden));
    return answer;
  }

  /** What was refused changes nothing; where something changed, halves of it say what did. */
  private async resend(cases: readonly Case[]): Promise<void> {
    if (cases.length === 0) return;
    const before = await settledCounts(this.stage.product);
    const refused = await this.sendAll(cases);
    const changed = changedTables(before, await settledCounts(this.stage.product));
    if (changed.length === 0) return;
    if (refused.length < cases.length) return this.resend(refused);
    const [only] = cases;
    if (cases.length === 1) return this.report.find(`refusé, mais changé : ${changed.join(', ')}`, only);
    const half = Math.ceil(cases.length / 2);
    await this.resend(cases.slice(0, half));
    await this.resend(cases.slice(half));
  }

  /** Once all is over. */
  private async lookBack(): Promise<void> {
    const { stage, report, watch, plan } = this;
    for (const name of watch.gone()) report.find(fr`processus mort : ${name}`);
    if (watch.slowest > latestProbeMs) report.find(fr`sonde sans réponse avant ${Math.round(watch.slowest)} ms`);
    for (const { name, first, last, isFlat } of plan.isShort ? [] : watch.memory()) {
      if (!isFlat) report.find(fr`mémoire de ${name} : ${Math.round(first)} Mo, puis ${Math.round(last)} Mo`);
    }
    const { status } = await stage.product.request('GET', '/api/health/ready');
    if (status !== 200) report.find(fr`plus prêt à la fin : ${status}`);
    await waitFor(() => stage.leftovers().length === 0, leftMs);
    for (const file of stage.leftovers()) report.find(fr`fichier laissé : ${file}`);
    const hidden = [...stage.planted, ...stage.people.tokens.map((value) => ({ value, owner: undefined }))];
    for (const { app, process } of stage.product.processes) {
      for (const value of secretsIn(process.output, hidden))
        report.find(fr`un secret dans le journal de ${app} : ${value}`);
      for (const line of unexpected(process.output)) report.find(fr`erreur inattendue de ${app} : ${line}`);
    }
  }
}

/** What no service foresaw, each once. */
function unexpected(log: string): string[] {
  const lines = log.split('\n').filter((line) => /"msg":"unexpected error"|uncaught|unhandled/i.test(line));
  return [...new Set(lines.map((line) => /"message":"(?:[^"\\]|\\.)*"/.exec(line)?.[0] ?? line.slice(0, 200)))];
}

const seedOf = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join(' ')).digest().readInt32LE();

async function waitFor(condition: () => boolean, withinMs: number): Promise<void> {
  for (const until = performance.now() + withinMs; !condition() && performance.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
