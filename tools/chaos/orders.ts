import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Person } from './person';
import type { Random } from './random';
import type { Host, Stage } from './stage';

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
        this.person.accepted.push(id);
        return id;
      } catch {
        // The database is away: nothing was accepted yet.
        await wait(200);
      }
    }
  }
}
