import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { addTrialJobs, type Host } from './host';
import type { Person } from './person';
import type { Random } from './random';
import type { Stage } from './stage';

const kinds = ['append', 'append', 'write', 'sleep', 'fail'] as const;
/** The shares of server tests and of cancelled orders. */
const [testShare, cancelShare] = [0.1, 0.08];

/** Orders trial jobs and server tests, and cancels some of the jobs. */
export class Orders {
  constructor(
    private readonly stage: Stage,
    private readonly person: Person,
    private readonly random: Random,
    private readonly seconds: number,
  ) {}

  async order(): Promise<void> {
    const host = this.random.one(this.stage.hosts);
    if (this.random.next() < testShare) return void (await this.person.order(`/api/servers/${host.serverId}/test`));
    const id = await this.orderTrial(host);
    if (this.random.next() < cancelShare) {
      await wait(this.random.between(0, 2_000));
      await this.person.sendOnce('POST', `/api/jobs/${id}/cancel`);
    }
  }

  private async orderTrial(host: Host): Promise<string> {
    const [id, site] = [randomUUID(), this.random.one(host.sites)];
    const seconds = Number(this.random.between(0.05, this.seconds).toFixed(2));
    const trial = { id, kind: this.random.one(kinds), site, seconds };
    for (;;) {
      try {
        await addTrialJobs((sql, values) => this.stage.query(sql, values), host, [trial], 'queued');
        this.person.accepted.push(id);
        return id;
      } catch {
        // The database is away, so nothing was accepted yet.
        await wait(200);
      }
    }
  }
}
