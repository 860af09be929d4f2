import { setTimeout as wait } from 'node:timers/promises';
import type { Finding } from './audit';
import { Orders } from './orders';
import { Person } from './person';
import { Random } from './random';
import { readState } from './sites-truth';
import type { SiteState } from './sites-audit';
import type { Stage } from './stage';
import { Wishes } from './wishes';

type Size = { seed: number; isLong: boolean; soakMinutes?: number | undefined };
type Member = { person: Person; orders: Orders; wishes: Wishes | undefined; random: Random };

/** What waits longer than the healing may take would look like what is stuck. */
type Pace = { everyMs: number; mostOpen: number };
const fullPace: Pace = { everyMs: 300, mostOpen: 16 };
/** People order faster than anything is done: it is what is open at once that makes the load. */
const halfPace: Pace = { everyMs: 600, mostOpen: 8 };
/** Who waits for an answer keeps nobody else waiting. */
const [members, wholeMembers] = [1, 3];
/** Of all orders: work that leaves effects which can be counted. */
const trials = 0.25;
const consolesMs = 40_000;
const stalledMs = 180_000;

/** The people of a trial: they order work, take some of it back, and look at lists. */
export class Crowd {
  private constructor(
    private readonly stage: Stage,
    private readonly all: readonly Member[],
    private readonly reader: { person: Person; random: Random },
    /** What was there before anybody came: jobs, and by site its plugins. */
    private readonly before: ReadonlySet<string>,
    readonly first: ReadonlyMap<string, SiteState>,
    private readonly pace: Pace,
  ) {}

  static async gather(stage: Stage, { seed, isLong, soakMinutes }: Size): Promise<Crowd> {
    const { whole } = stage;
    const all = Array.from({ length: whole ? wholeMembers : members }, (_, n): Member => {
      const random = new Random(seed + 1 + n);
      const person = new Person(stage, random);
      const orders = new Orders(stage, person, random, isLong ? 1.2 : 0.8);
      return { person, orders, wishes: whole && new Wishes(stage, whole, person, random, n), random };
    });
    const first = new Map<string, SiteState>();
    for (const { id, site } of whole?.sites ?? []) if (whole) first.set(id, await readState(whole.fleet, site));
    const known = await stage.query<{ id: string }>('select id from sites.jobs');
    const random = new Random(seed - 1);
    const reader = { person: new Person(stage, random), random };
    const pace = soakMinutes === undefined ? fullPace : halfPace;
    return new Crowd(stage, all, reader, new Set(known.map(({ id }) => id)), first, pace);
  }

  get accepted(): string[] {
    return this.people.flatMap(({ accepted }) => accepted);
  }

  get wishes(): Wishes[] {
    return this.all.flatMap(({ wishes }) => wishes ?? []);
  }

  get summary(): string {
    const sum = (of: (person: Person) => number) => this.people.reduce((total, person) => total + of(person), 0);
    const [answers, refused, unsure] = [sum((one) => one.answers), sum((one) => one.refused), sum((one) => one.unsure)];
    return `${this.accepted.length} demandes acceptées, ${refused} refusées, ${unsure} sans réponse, ${answers} réponses lues`;
  }

  /** So that there is always something under way, and never much that waits. */
  async orderAll(orders: number, struck: AbortSignal): Promise<void> {
    const { everyMs, mostOpen: maxOpen } = this.pace;
    let [made, madeAt] = [0, performance.now()];
    // Without one of its guards the product may take nothing any more.
    const isOver = () => struck.aborted && (made >= orders || performance.now() - madeAt > stalledMs);
    const orderOn = async ({ orders: trial, wishes, random }: Member) => {
      while (!isOver()) {
        // Where the ledger is away people go on ordering.
        if ((await this.countOpen().catch(() => 0)) < maxOpen) {
          const isTrial = !wishes || random.next() < trials;
          const isAccepted = isTrial ? await trial.order().then(() => true) : await wishes.make();
          if (isAccepted) [made, madeAt] = [made + 1, performance.now()];
        }
        await wait(everyMs);
      }
    };
    await Promise.all(this.all.map(orderOn));
  }

  /** Reads as people do, until `signal`. */
  async read(signal: AbortSignal): Promise<void> {
    const { person, random } = this.reader;
    const defaults = ['/api/jobs?limit=50', '/api/servers', '/api/auth/me'];
    const { whole } = this.stage;
    const own = whole && [`/api/cloudflare/zones/${whole.zone.id}/dns`, '/api/sites', '/api/dashboard/activity'];
    while (!signal.aborted) {
      await person.once('GET', random.one([...defaults, ...(own ?? [])]));
      await wait(300);
    }
  }

  /** Ends what people left open, as far as that is theirs to end. */
  async leave(): Promise<void> {
    if (!this.stage.whole) return;
    const { person } = this.reader;
    const answer = await person.once('GET', '/api/consoles');
    const open = (answer?.body['items'] ?? []) as { id: string }[];
    for (const { id } of open) await person.insist('DELETE', `/api/consoles/${id}`);
    const left = () => this.stage.query('select id from sites.consoles where ended_at is null');
    for (const until = performance.now() + consolesMs; performance.now() < until; await wait(250)) {
      if ((await left()).length === 0 && this.stage.whole.fleet.host.left().length === 0) return;
    }
  }

  list = async <T>(path: string): Promise<T[]> => {
    const { answer } = await this.reader.person.insist('GET', path);
    if (!Array.isArray(answer?.body)) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
    return answer.body as T[];
  };

  /** What they complain of, and work that nobody asked for. */
  async findings(): Promise<Finding[]> {
    const rows = await this.stage.query<{ id: string }>('select id from sites.jobs where batch_id is null');
    const known = new Set([...this.accepted, ...this.before]);
    const strays = rows.filter(({ id }) => !known.has(id));
    // Of what was asked for and never answered anything may have come.
    const excused = this.people.reduce((sum, { unsure }) => sum + unsure, 0);
    return [
      ...strays.slice(excused).map(({ id }) => ({ what: 'sans demande', id })),
      ...this.people.flatMap(({ doubled }) => doubled).map((id) => ({ what: 'accepté deux fois', id })),
      ...this.people.flatMap(({ complaints }) => complaints).map((id) => ({ what: 'réponse', id })),
    ];
  }

  private get people(): Person[] {
    return [...this.all.map(({ person }) => person), this.reader.person];
  }

  private async countOpen(): Promise<number> {
    const open = await this.stage.query(
      "select id from sites.jobs where state in ('queued', 'running') and not is_batch",
    );
    return open.length;
  }
}
