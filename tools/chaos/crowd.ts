import { setTimeout as wait } from 'node:timers/promises';
import type { Finding } from './audit';
import { Orders } from './orders';
import { Person } from './person';
import { Random } from './random';
import { readState } from './read-sites';
import type { SiteState } from './sites-audit';
import type { Stage } from './stage';
import { UserActions } from './user-actions';

type Size = { seed: number; isLong: boolean; soakMinutes?: number | undefined };
type Member = { person: Person; orders: Orders; actions: UserActions | undefined; random: Random };

/** The load is limited, because jobs that wait longer than the recovery would look stuck. */
type Load = { everyMs: number; maxOpen: number };
const fullLoad: Load = { everyMs: 300, maxOpen: 16 };
/** Users order faster than jobs run, so the number of open jobs determines the load. */
const halfLoad: Load = { everyMs: 600, maxOpen: 8 };
/** Several users order in parallel, because each waits for answers. */
const [userCount, wholeUserCount] = [1, 3];
/** The share of orders whose effects can be counted. */
const trialShare = 0.25;
const consolesMs = 40_000;
const stalledMs = 180_000;

/** The users of a trial, who order jobs, cancel some of them and read lists. */
export class Crowd {
  private constructor(
    private readonly stage: Stage,
    private readonly members: readonly Member[],
    private readonly reader: { person: Person; random: Random },
    /** The jobs, and the plugins of each site, before the first order. */
    private readonly jobsBefore: ReadonlySet<string>,
    readonly statesBefore: ReadonlyMap<string, SiteState>,
    private readonly load: Load,
  ) {}

  static async create(stage: Stage, { seed, isLong, soakMinutes }: Size): Promise<Crowd> {
    const { whole } = stage;
    const all = Array.from({ length: whole ? wholeUserCount : userCount }, (_, n): Member => {
      const random = new Random(seed + 1 + n);
      const person = new Person(stage, random);
      const orders = new Orders(stage, person, random, isLong ? 1.2 : 0.8);
      return { person, orders, actions: whole && new UserActions(stage, whole, person, random, n), random };
    });
    const statesBefore = new Map<string, SiteState>();
    for (const { id, site } of whole?.sites ?? []) if (whole) statesBefore.set(id, await readState(whole.fleet, site));
    const jobs = await stage.query<{ id: string }>('select id from sites.jobs');
    const random = new Random(seed - 1);
    const reader = { person: new Person(stage, random), random };
    const load = soakMinutes === undefined ? fullLoad : halfLoad;
    return new Crowd(stage, all, reader, new Set(jobs.map(({ id }) => id)), statesBefore, load);
  }

  get accepted(): string[] {
    return this.people.flatMap(({ accepted }) => accepted);
  }

  get actions(): UserActions[] {
    return this.members.flatMap(({ actions }) => actions ?? []);
  }

  get summary(): string {
    const sum = (count: (person: Person) => number) => this.people.reduce((total, person) => total + count(person), 0);
    const [answers, refused, unanswered] = [
      sum((person) => person.answerCount),
      sum((person) => person.refusedCount),
      sum((person) => person.unansweredCount),
    ];
    return `${this.accepted.length} demandes acceptées, ${refused} refusées, ${unanswered} sans réponse, ${answers} réponses lues`;
  }

  /** Orders jobs until the faults are over, so that some are always running and few are waiting. */
  async orderAll(orders: number, faultsOver: AbortSignal): Promise<void> {
    const { everyMs, maxOpen } = this.load;
    let [orderCount, lastOrderAt] = [0, performance.now()];
    // A product without one of its guards may stop accepting orders.
    const isDone = () => faultsOver.aborted && (orderCount >= orders || performance.now() - lastOrderAt > stalledMs);
    const keepOrdering = async ({ orders: trial, actions, random }: Member) => {
      while (!isDone()) {
        // Users continue to order while the database is away.
        if ((await this.countOpen().catch(() => 0)) < maxOpen) {
          const isTrial = !actions || random.next() < trialShare;
          const isAccepted = isTrial ? await trial.order().then(() => true) : await actions.perform();
          if (isAccepted) [orderCount, lastOrderAt] = [orderCount + 1, performance.now()];
        }
        await wait(everyMs);
      }
    };
    await Promise.all(this.members.map(keepOrdering));
  }

  async read(signal: AbortSignal): Promise<void> {
    const { person, random } = this.reader;
    const defaults = ['/api/jobs?limit=50', '/api/servers', '/api/auth/me'];
    const { whole } = this.stage;
    const wholePaths = whole && [`/api/cloudflare/zones/${whole.zone.id}/dns`, '/api/sites', '/api/dashboard/activity'];
    while (!signal.aborted) {
      await person.sendOnce('GET', random.one([...defaults, ...(wholePaths ?? [])]));
      await wait(300);
    }
  }

  /** Closes the consoles that users left open, and waits for their end. */
  async closeConsoles(): Promise<void> {
    if (!this.stage.whole) return;
    const { person } = this.reader;
    const answer = await person.sendOnce('GET', '/api/consoles');
    const open = (answer?.body['items'] ?? []) as { id: string }[];
    for (const { id } of open) await person.sendUntilAnswered('DELETE', `/api/consoles/${id}`);
    const findOpen = () => this.stage.query('select id from sites.consoles where ended_at is null');
    for (const deadline = performance.now() + consolesMs; performance.now() < deadline; await wait(250)) {
      if ((await findOpen()).length === 0 && this.stage.whole.fleet.host.userProcesses().length === 0) return;
    }
  }

  list = async <T>(path: string): Promise<T[]> => {
    const { answer } = await this.reader.person.sendUntilAnswered('GET', path);
    if (!Array.isArray(answer?.body)) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
    return answer.body as T[];
  };

  /** Reports complaints, duplicate jobs and jobs without an order. */
  async findings(): Promise<Finding[]> {
    const rows = await this.stage.query<{ id: string }>('select id from sites.jobs where batch_id is null');
    const jobs = new Set([...this.accepted, ...this.jobsBefore]);
    const unrequested = rows.filter(({ id }) => !jobs.has(id));
    // An order without an answer may have created a job.
    const unansweredCount = this.people.reduce((sum, { unansweredCount: unanswered }) => sum + unanswered, 0);
    return [
      ...unrequested.slice(unansweredCount).map(({ id }) => ({ kind: 'sans demande', id })),
      ...this.people.flatMap(({ duplicateIds }) => duplicateIds).map((id) => ({ kind: 'accepté deux fois', id })),
      ...this.people.flatMap(({ complaints }) => complaints).map((id) => ({ kind: 'réponse', id })),
    ];
  }

  private get people(): Person[] {
    return [...this.members.map(({ person }) => person), this.reader.person];
  }

  private async countOpen(): Promise<number> {
    const open = await this.stage.query(
      "select id from sites.jobs where state in ('queued', 'running') and not is_batch",
    );
    return open.length;
  }
}
