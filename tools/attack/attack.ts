import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../chaos/random';
import { findGrowth, judgeProcesses } from '../chaos/soak-judge';
import { waitFor } from '../start/wait';
import { fr } from '../terminal';
import { mapPooled } from '@vigie/testing/map-pooled';
import { HostileFiles } from './archives';
import { fieldCase, type CaseContext, type Person, type Target } from './cases';
import { foreignCases } from './foreign-ids';
import { findFaults, isRefusal, findSecrets } from './judge';
import { attackMcp } from './mcp';
import { mayPass, ownerName, readsForOwner } from './people';
import { Report } from './report';
import { mutatedCase } from './requests';
import type { Route } from './routes';
import { type HttpAnswer, type HostileRequest, Sender } from './send';
import { attackConsoles, attackHosts } from './side-attacks';
import type { Stage } from './stage';
import { changedTables, readSettledTables } from './tables';
import { maxProbeMs, ProcessMonitor } from './process-monitor';
import { wireCase } from './wires';

export type Plan = { seed: number; requests: number; perRoute: number; isShort: boolean; only: string };

export const shortPlan = { requests: 1, perRoute: 3, isShort: true, only: '' };

/** Differs from the address from which senders log in, where failed logins are counted. */
const clientAddress = '127.0.0.66';
const parallelRequests = 16;
const parallelTargets = 6;
const maxResent = 600;
const requiredRepeats = 3;
/** How long the last requests may take to finish. */
const settleTimeoutMs = 60_000;
const [maxTries, retryMs] = [4, 5_000];

/** Routes that end sessions, change passwords or disconnect zones, which are attacked last. */
const disruptiveRoutes = /logout|sessions|2fa|password|cloudflare\/config/;

/** Identifies a case, which the seed of the round can create again. */
type CasePosition = { route: Route; round: number; index: number };

/** An allowed request may be refused for its object or its rate, and succeed for another object. */
const retryableStatuses = [404, 409, 429];

const isRefused = (answer: HttpAnswer | undefined) => answer !== undefined && isRefusal(answer);
const isRefusedFinally = (request: HostileRequest, answer: HttpAnswer | undefined) =>
  request.wire === undefined &&
  isRefused(answer) &&
  !(request.mayPass && retryableStatuses.includes(answer?.status ?? 0));

/** Sends hostile requests, and checks the answers, the database and the processes. */
export class Attack {
  readonly report = new Report();
  readonly watch: ProcessMonitor;
  private readonly sender: Sender;
  private loggedCount = 0;

  private constructor(
    private readonly stage: Stage,
    private readonly plan: Plan,
    private readonly files: HostileFiles,
    private readonly log: (line: string) => void,
  ) {
    this.sender = new Sender(stage.product.gateways[0] ?? '', clientAddress);
    this.watch = new ProcessMonitor(stage.product, plan.isShort);
  }

  static async run(stage: Stage, plan: Plan, log: (line: string) => void = () => undefined): Promise<Attack> {
    const attack = new Attack(stage, plan, await HostileFiles.create(), log);
    try {
      for (let round = 0; round === 0 || attack.report.sent < plan.requests; round += 1) {
        await attack.runRound(round);
      }
    } finally {
      await attack.watch.end();
      attack.sender.close();
    }
    await attack.checkAftermath();
    return attack;
  }

  private async runRound(round: number): Promise<void> {
    const { stage, plan } = this;
    const random = new Random(seedOf(plan.seed, round, 'round'));
    const routes = stage.routes.filter(({ key }) => key.includes(plan.only));
    const order = routes.toSorted(
      (a, b) => Number(disruptiveRoutes.test(a.key)) - Number(disruptiveRoutes.test(b.key)),
    );
    const refused: CasePosition[] = [];
    const step = plan.isShort ? routes.length : 12;
    for (let index = 0; index < order.length; index += step) {
      await stage.renew();
      const batch = order.slice(index, index + step);
      const targets = await this.createTargets(batch);
      const positioned = targets.flatMap((target) =>
        this.createCases(target, round).map((request, n) => ({
          one: request,
          position: { route: target.route, round, index: n },
        })),
      );
      const answers = await this.sendAll(positioned.map(({ one: request }) => request));
      refused.push(
        ...positioned.flatMap(({ one: request, position }, n) =>
          isRefusedFinally(request, answers[n]) ? [position] : [],
        ),
      );
      this.logProgress();
    }
    this.log(fr`Renvoie ce qui a été refusé, et regarde si quelque chose a changé…`);
    const repeatable = refused.filter(({ route }) => !disruptiveRoutes.test(route.key));
    await this.resend(repeatable.toSorted(() => random.next() - 0.5).slice(0, maxResent));
    if (plan.only !== '') return;
    this.log(fr`Parle comme un assistant trompé…`);
    await stage.renew();
    await attackMcp(stage, { random, report: this.report, isShort: plan.isShort }, (cases) => this.sendAll(cases));
    this.log(fr`Attaque les consoles et ment comme hôte…`);
    const consoleAttack = attackConsoles(stage, random, this.report, plan.isShort).then((cases) => this.sendAll(cases));
    await Promise.all([consoleAttack, attackHosts(stage, random, this.report, plan.isShort)]);
  }

  /** Logs new findings at once, so that an operator can stop a long attack early. */
  private logProgress(): void {
    const { sent, findings } = this.report;
    for (const line of findings.slice(this.loggedCount)) this.log(fr`✗ ${line}`);
    this.loggedCount = findings.length;
    this.log(fr`${sent} requêtes, ${findings.length} constats.`);
  }

  private createCases(target: Target, round: number): HostileRequest[] {
    const { stage, plan } = this;
    const { route } = target;
    const random = new Random(seedOf(plan.seed, round, route.key));
    const contextFor = (person: Person): CaseContext => {
      const allowed = mayPass(person.name, target);
      return { target, person, mayPass: allowed, random, hostile: stage.hostile };
    };
    return [
      ...Array.from({ length: plan.perRoute }, () => this.createCase(contextFor(stage.people.pick(random)), route)),
      // Sent by the owner, because other senders are refused for the rest of the request.
      ...foreignCases(contextFor(stage.people.person(ownerName)), stage.foreignIds),
    ];
  }

  private createCase(context: CaseContext, route: Route): HostileRequest {
    const chance = context.random.next();
    if (chance < 0.06) return wireCase(context);
    if (chance < 0.35) return mutatedCase(context);
    return route.takesFile ? this.files.createCase(context) : fieldCase(context);
  }

  private sendAll(cases: readonly HostileRequest[]): Promise<HttpAnswer[]> {
    return mapPooled(cases, parallelRequests, (request) => this.sendOne(request));
  }

  private async sendOne(request: HostileRequest): Promise<HttpAnswer> {
    const answer = await this.sender.send(request);
    const forbidden = this.stage.canaries.filter(({ owner }) => !readsForOwner(request.sender, owner));
    this.report.record(request, answer, findFaults(request, answer, forbidden));
    return answer;
  }

  /**
   * Refused requests must not change the database, even with new objects, where a change would show. After a change, halves
   * are sent again to find the cause, which must then reproduce the change several times.
   */
  private async resend(positions: readonly CasePosition[], times = 1): Promise<void> {
    if (positions.length === 0) return;
    const cases = await this.recreateCases(positions);
    const before = await readSettledTables(this.stage.product);
    const answers = await this.sendAll(cases);
    const changed = changedTables(before, await readSettledTables(this.stage.product));
    if (changed.length === 0) return;
    const refused = positions.filter((_, index) => isRefused(answers[index]));
    if (refused.length < positions.length) return this.resend(refused);
    if (positions.length === 1 && times < requiredRepeats) return this.resend(positions, times + 1);
    if (positions.length === 1) return this.report.addFinding(`refusé, mais changé : ${changed.join(', ')}`, cases[0]);
    const half = Math.ceil(positions.length / 2);
    await this.resend(positions.slice(0, half));
    await this.resend(positions.slice(half));
  }

  /** Retries later, because earlier requests may still keep a service busy. */
  private createTargets(routes: readonly Route[]): Promise<Target[]> {
    const createTarget = async (route: Route, tries = maxTries): Promise<Target> => {
      try {
        return await this.stage.createTarget(route);
      } catch (error) {
        if (tries === 1) throw error;
        await wait(retryMs);
        return createTarget(route, tries - 1);
      }
    };
    return mapPooled(routes, parallelTargets, (route) => createTarget(route));
  }

  /** Creates the same cases for new objects. */
  private async recreateCases(positions: readonly CasePosition[]): Promise<HostileRequest[]> {
    await this.stage.renew();
    const routes = [...new Set(positions.map(({ route }) => route))];
    const targets = await this.createTargets(routes);
    const casesByRoute = new Map(
      targets.map((target) => [target.route, this.createCases(target, positions[0]?.round ?? 0)]),
    );
    return positions.flatMap(({ route, index }) => casesByRoute.get(route)?.[index] ?? []);
  }

  /** Checks processes, files and logs after the attack. */
  private async checkAftermath(): Promise<void> {
    const { stage, report, watch } = this;
    this.log(fr`Regarde ce qui reste de l’attaque…`);
    await watch.waitForRelease();
    for (const name of watch.deadProcesses()) report.addFinding(fr`processus mort : ${name}`);
    if (watch.slowestProbeMs > maxProbeMs)
      report.addFinding(fr`sonde sans réponse avant ${Math.round(watch.slowestProbeMs)} ms`);
    // A short attack has too few readings to find growth.
    for (const { kind, id } of findGrowth(judgeProcesses(watch.processes), [])) report.addFinding(`${kind} : ${id}`);
    const isReady = async () => (await stage.product.request('GET', '/api/health/ready')).status === 200;
    if (!(await waitFor(isReady, { timeoutMs: settleTimeoutMs }))) report.addFinding(fr`plus prêt à la fin`);
    await waitFor(async () => stage.leftovers().length === 0, { timeoutMs: settleTimeoutMs });
    for (const file of stage.leftovers()) report.addFinding(fr`fichier laissé : ${file}`);
    const forbidden = [...stage.canaries, ...stage.people.tokens.map((value) => ({ value, owner: undefined }))];
    for (const { app, process } of stage.product.processes) {
      for (const value of findSecrets(process.output, forbidden))
        report.addFinding(fr`un secret dans le journal de ${app} : ${value}`);
      for (const line of unexpectedErrors(process.output)) report.addFinding(fr`erreur inattendue de ${app} : ${line}`);
    }
  }
}

function unexpectedErrors(log: string): string[] {
  const lines = log.split('\n').filter((line) => /"msg":"unexpected error"|uncaught|unhandled/i.test(line));
  return [...new Set(lines.map((line) => /"message":"(?:[^"\\]|\\.)*"/.exec(line)?.[0] ?? line.slice(0, 200)))];
}

const seedOf = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join(' ')).digest().readInt32LE();
