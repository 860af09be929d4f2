import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from './random';
import type { Host, Stage } from './stage';

const kinds = ['append', 'append', 'write', 'sleep', 'fail'] as const;
/** Of all orders, tests of servers by the API, and orders that somebody takes back. */
const [tests, cancels] = [0.1, 0.08];
const patienceMs = 35_000;

/** The people of a trial: they order work, take some of it back, and look at lists. */
export class Orders {
  readonly accepted: string[] = [];
  /** Answers that took longer than any deadline, or that were a fault of the product. */
  readonly complaints: string[] = [];
  private answers = 0;

  constructor(
    private readonly stage: Stage,
    private readonly random: Random,
    private readonly seconds: number,
  ) {}

  async order(): Promise<void> {
    const host = this.random.one(this.stage.hosts);
    if (this.random.next() < tests) return this.orderTest(host);
    const id = await this.orderTrial(host);
    if (this.random.next() < cancels) {
      await wait(this.random.between(0, 2_000));
      await this.ask('POST', `/api/jobs/${id}/cancel`);
    }
  }

  /** Reads as people do, until `signal`. */
  async read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.ask('GET', this.random.one(['/api/jobs?limit=50', '/api/servers', '/api/auth/me']));
      await wait(300);
    }
  }

  get summary(): string {
    return `${this.accepted.length} demandes acceptées, ${this.answers} réponses lues`;
  }

  private async orderTest({ serverId }: Host): Promise<void> {
    const answer = await this.ask('POST', `/api/servers/${serverId}/test`, { prefer: 'respond-async' });
    if (answer?.status === 202) this.accepted.push(String(answer.body['job_id']));
  }

  /** No screen orders these: they are written as a feature would, and are accepted once they are committed. */
  private async orderTrial(host: Host): Promise<string> {
    const id = randomUUID();
    const site = this.random.one(host.sites);
    const seconds = this.random.between(0.05, this.seconds).toFixed(2);
    const input = { folder: site.path, log: host.log, seconds: Number(seconds) };
    const values = [
      id,
      `trial.${this.random.one(kinds)}`,
      host.serverId,
      site.id,
      `127.0.0.1:${host.road.port}`,
      input,
    ];
    for (;;) {
      try {
        await this.stage.query(
          `insert into sites.jobs (id, kind, owner_id, actor_id, server_id, site_id, queue, lane, is_exclusive, is_heavy, input)
           select $1, $2, s.owner_id, s.owner_id, s.id, $4, 'site-ops', $5, true, false, $6 from sites.servers s where s.id = $3
           on conflict (id) do nothing`,
          values,
        );
        this.accepted.push(id);
        return id;
      } catch {
        // The database is away: nothing was accepted yet.
        await wait(200);
      }
    }
  }

  private async ask(method: string, path: string, headers: Record<string, string> = {}) {
    const { product, token } = this.stage;
    const since = performance.now();
    try {
      const at = Math.floor(this.random.next() * product.gateways.length);
      const answer = await product.request(method, path, { token, at, headers });
      this.answers += 1;
      const ms = performance.now() - since;
      if (ms > patienceMs) this.complaints.push(`${method} ${path} : ${Math.round(ms / 1_000)} s`);
      if (answer.status >= 500 && answer.status !== 503) this.complaints.push(`${method} ${path} : ${answer.status}`);
      return answer;
    } catch {
      // That gateway is down: a browser tries again. But it does not wait for ever to be told so.
      if (performance.now() - since > patienceMs) this.complaints.push(`${method} ${path} : sans réponse`);
      return undefined;
    }
  }
}
