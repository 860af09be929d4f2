import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { addTrials, type Host } from './host';
import type { Person } from './person';
import type { Random } from './random';
import type { Stage } from './stage';

const kinds = ['append', 'append', 'write', 'sleep', 'fail'] as const;
/** Of all orders, tests of servers by the API, and orders that somebody takes back. */
const [tests, cancels] = [0.1, 0.08];

/** Work that only trials know: ordered as a feature orders it, and some of it taken back. */
export class Orders {
  constructor(
    private readonly stage: Stage,
    private readonly person: Person,
    private readonly random: Random,
    private readonly seconds: number,
  ) {}

  async order(): Promise<void> {
    const host = this.random.one(this.stage.hosts);
    if (this.random.next() < tests) return void (await this.person.order(`/api/servers/${host.serverId}/test`));
    const id = await this.orderTrial(host);
    if (this.random.next() < cancels) {
      await wait(this.random.between(0, 2_000));
      await this.person.once('POST', `/api/jobs/${id}/cancel`);
    }
  }

  /** No screen orders these: they are written as a feature would, and are accepted once they are committed. */
  private async orderTrial(host: Host): Promise<string> {
    const [id, site] = [randomUUID(), this.random.one(host.sites)];
    const seconds = Number(this.random.between(0.05, this.seconds).toFixed(2));
    const trial = { id, kind: this.random.one(kinds), site, seconds };
    for (;;) {
      try {
        await addTrials((sql, values) => this.stage.query(sql, values), host, [trial], 'queued');
        this.person.accepted.push(id);
        return id;
      } catch {
        // The database is away: nothing was accepted yet.
        await wait(200);
      }
    }
  }
}
