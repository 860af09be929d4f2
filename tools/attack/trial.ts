import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../chaos/random';
import { growing, judgeLives } from '../chaos/soak-judge';
import { waitFor } from '../start/wait';
import { fr } from '../terminal';
import { Files } from './archives';
import { fieldCase, type Making, type Person, type Target } from './cases';
import { foreignCases } from './foreign';
import { faultsOf, isRefusal, secretsIn } from './judge';
import { mayPass, ownerName, seesAll } from './people';
import { pooled } from './pooled';
import { Report } from './report';
import { wholeCase } from './requests';
import type { Route } from './routes';
import { type Answered, type Case, Sender } from './send';
import { attackConsoles, attackHosts } from './sides';
import type { Stage } from './stage';
import { changedTables, settledTables } from './tables';
import { latestProbeMs, Watch } from './watch';
import { wireCase } from './wires';

export type Plan = { seed: number; requests: number; perRoute: number; isShort: boolean; only: string };

/** As much as a run of all tests has time for. */
export const shortPlan = { requests: 1, perRoute: 3, isShort: true, only: '' };

/** Not the address from which people log in: how often one may fail there is counted. */
const from = '127.0.0.66';
const atOnce = 16;
const targetsAtOnce = 6;
const maxResent = 600;
const timesSure = 3;
/** For what was asked last to come to its end. */
const leftMs = 60_000;
const [maxTries, againMs] = [4, 5_000];

/** Whoever asks these is logged out, has another password or no zones: they come last. */
const endsMuch = /logout|sessions|2fa|password|cloudflare\/config/;

/** A case by its route and its place among those of a round, all of which are made by chance of one seed. */
type Place = { route: Route; round: number; at: number };

/** To whoever may: it is gone, somebody else was first, or it was asked too often. About another object it would be done. */
const forNow = [404, 409, 429];

const isRefused = (answer: Answered | undefined) => answer !== undefined && isRefusal(answer);
const isRefusedForGood = (one: Case, answer: Answered | undefined) =>
  one.wire === undefined && isRefused(answer) && !(one.mayPass && forNow.includes(answer?.status ?? 0));

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
    this.watch = new Watch(stage.product, plan.isShort);
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
    const refused: Place[] = [];
    const step = plan.isShort ? routes.length : 12;
    for (let at = 0; at < order.length; at += step) {
      await stage.renew();
      const some = order.slice(at, at + step);
      const targets = await this.targetsOf(some);
      const placed = targets.flatMap((target) =>
        this.casesFor(target, round).map((one, n) => ({ one, place: { route: target.route, round, at: n } })),
      );
      const answers = await this.sendAll(placed.map(({ one }) => one));
      refused.push(...placed.flatMap(({ one, place }, n) => (isRefusedForGood(one, answers[n]) ? [place] : [])));
      this.tell();
    }
    this.log(fr`Renvoie ce qui a été refusé, et regarde si quelque chose a changé…`);
    const silent = refused.filter(({ route }) => !endsMuch.test(route.key));
    await this.sendAgain(silent.toSorted(() => random.next() - 0.5).slice(0, maxResent));
    if (plan.only !== '') return;
    this.log(fr`Attaque les consoles et ment comme hôte…`);
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
    const makingBy = (person: Person): Making => {
      const allowed = mayPass(person.name, route.access, target.isOwned);
      return { target, person, mayPass: allowed, random, hostile: stage.hostile };
    };
    return [
      ...Array.from({ length: plan.perRoute }, () => this.caseOf(makingBy(stage.people.some(random)), route)),
      // By whoever the rest of the request belongs to: else that would be refused for itself.
      ...foreignCases(makingBy(stage.people.named(ownerName)), stage.others),
    ];
  }

  private caseOf(making: Making, route: Route): Case {
    const draw = making.random.next();
    if (draw < 0.06) return wireCase(making);
    if (draw < 0.35) return wholeCase(making);
    return route.takesFile ? this.files.case(making) : fieldCase(making);
  }

  private sendAll(cases: readonly Case[]): Promise<Answered[]> {
    return pooled(cases, atOnce, (one) => this.sendOne(one));
  }

  private async sendOne(one: Case): Promise<Answered> {
    const answer = await this.sender.send(one);
    const hidden = this.stage.planted.filter(({ owner }) => one.who !== seesAll || owner === undefined);
    this.report.note(one, answer, faultsOf(one, answer, hidden));
    return answer;
  }

  /**
   * What was refused changes nothing, also in what was made anew for it, where the first change of all would show; where
   * something changed, halves of it say what did. A single one changes it each time: else something else did.
   */
  private async sendAgain(places: readonly Place[], times = 1): Promise<void> {
    if (places.length === 0) return;
    const cases = await this.makeAgain(places);
    const before = await settledTables(this.stage.product);
    const answers = await this.sendAll(cases);
    const changed = changedTables(before, await settledTables(this.stage.product));
    if (changed.length === 0) return;
    const refused = places.filter((_, at) => isRefused(answers[at]));
    if (refused.length < places.length) return this.sendAgain(refused);
    if (places.length === 1 && times < timesSure) return this.sendAgain(places, times + 1);
    if (places.length === 1) return this.report.find(`refusé, mais changé : ${changed.join(', ')}`, cases[0]);
    const half = Math.ceil(places.length / 2);
    await this.sendAgain(places.slice(0, half));
    await this.sendAgain(places.slice(half));
  }

  /** What was asked just before may still keep a service busy, which then says so: it is asked again a little later. */
  private targetsOf(routes: readonly Route[]): Promise<Target[]> {
    const targetOf = async (route: Route, tries = maxTries): Promise<Target> => {
      try {
        return await this.stage.target(route);
      } catch (error) {
        if (tries === 1) throw error;
        await wait(againMs);
        return targetOf(route, tries - 1);
      }
    };
    return pooled(routes, targetsAtOnce, (route) => targetOf(route));
  }

  /** The same cases, about other objects. */
  private async makeAgain(places: readonly Place[]): Promise<Case[]> {
    await this.stage.renew();
    const routes = [...new Set(places.map(({ route }) => route))];
    const targets = await this.targetsOf(routes);
    const made = new Map(targets.map((target) => [target.route, this.casesFor(target, places[0]?.round ?? 0)]));
    return places.flatMap(({ route, at }) => made.get(route)?.[at] ?? []);
  }

  /** Once all is over. */
  private async lookBack(): Promise<void> {
    const { stage, report, watch } = this;
    this.log(fr`Regarde ce qui reste de l’attaque…`);
    await watch.rest();
    for (const name of watch.gone()) report.find(fr`processus mort : ${name}`);
    if (watch.slowest > latestProbeMs) report.find(fr`sonde sans réponse avant ${Math.round(watch.slowest)} ms`);
    // Of an attack that is over before anything could be told nothing is.
    for (const { what, id } of growing(judgeLives(watch.lives), [])) report.find(`${what} : ${id}`);
    const isReady = async () => (await stage.product.request('GET', '/api/health/ready')).status === 200;
    if (!(await waitFor(isReady, { timeoutMs: leftMs }))) report.find(fr`plus prêt à la fin`);
    await waitFor(async () => stage.leftovers().length === 0, { timeoutMs: leftMs });
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
