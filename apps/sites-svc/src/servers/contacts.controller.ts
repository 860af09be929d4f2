import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { readStatus, serversChanged, testServer, testServers, trustHostKey } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { Creations } from '@vigie/service-kit/creations';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordServerDoing } from '../activity/doings';
import { Job } from '../jobs/job.entity';
import { Jobs } from '../jobs/jobs';
import { countSites } from './count-sites';
import { findServer, holdServer, keepServers } from './find-server';
import { Looks } from './looks';
import { Server, toServer } from './server.entity';

const kind = 'servers.test';

/** What is asked of the servers themselves, by way of the agents. */
@Controller()
export class ContactsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly looks: Looks,
    private readonly jobs: Jobs,
    private readonly creations: Creations,
  ) {}

  /**
   * A slow login takes longer than anybody should wait for an answer. Whoever asks for a test that is under way shares
   * it: each one of its own would be one more login to refuse.
   */
  @Handles(testServer)
  async test(input: Input<typeof testServer>): Promise<Output<typeof testServer>> {
    const ticket = await this.database.transaction(async (manager) => {
      const server = await holdServer(manager, input.id);
      const order = { kind, server, input: { version: server.version }, isLook: true };
      const open = await this.jobs.findOpen(manager, order);
      const id = open?.id ?? uuid();
      const known = await this.creations.claim(manager, testServer, input, id);
      if (known === undefined && !open) await this.jobs.add(manager, { ...order, id });
      return ticketOf(manager, known ?? id);
    });
    this.jobs.announce();
    return ticket;
  }

  /** Asked again while the same tests are under way, it is the same batch. */
  @Handles(testServers)
  async testAll(input: Input<typeof testServers>): Promise<Output<typeof testServers>> {
    const ticket = await this.database.transaction(async (manager) => {
      await manager.query("select pg_advisory_xact_lock(hashtext(current_schema() || '.tests.' || $1))", [
        currentUser().sub,
      ]);
      const servers = await keepServers(manager, input.ids);
      const owners = new Set(servers.map(({ ownerId }) => ownerId));
      // What is done to one person's servers is that person's to see.
      const ownerId = owners.size === 1 ? servers[0]?.ownerId : undefined;
      const orders = servers.map((server) => ({ server, input: { version: server.version } }));
      const open = await findOpenBatch(manager, ownerId, servers);
      const id = open ?? uuid();
      const known = await this.creations.claim(manager, testServers, input, id);
      if (known === undefined && open === undefined) await this.jobs.addBatch(manager, { id, kind, ownerId, orders });
      return ticketOf(manager, known ?? id);
    });
    this.jobs.announce();
    return ticket;
  }

  @Handles(readStatus)
  async status({ id, fresh }: Input<typeof readStatus>) {
    return this.looks.statusOf(await findServer(this.database.manager, id), fresh === '1');
  }

  @Handles(trustHostKey)
  async trust({ id, fingerprint }: Input<typeof trustHostKey>) {
    const server = await this.database.transaction(async (manager) => {
      const held = await holdServer(manager, id);
      const { hostKey: previous, version } = held;
      if (previous === fingerprint) return held;
      await manager.update(Server, { id }, { hostKey: fingerprint, version: version + 1, status: null });
      const details = { host_key: fingerprint, previous };
      await recordServerDoing(manager, { type: 'server_edit', server: held, details });
      return findServer(manager, id);
    });
    this.bus.publish(serversChanged, { ids: [id] });
    const counts = await countSites(this.database.manager, [server]);
    return toServer(server, counts.get(id) ?? 0);
  }
}

async function ticketOf(manager: EntityManager, id: string): Promise<Output<typeof testServer>> {
  const job = await manager.findOne(Job, { where: { id }, select: { id: true, state: true } });
  if (!job) throw new AppError('not_found', 'Cette tâche n’existe pas ou n’existe plus.');
  return { job_id: job.id, state: job.state };
}

type Tested = Pick<Server, 'id' | 'version'>;

/** Of the same servers as they are now, with none of it called off. */
async function findOpenBatch(
  manager: EntityManager,
  ownerId: string | undefined,
  servers: readonly Tested[],
): Promise<string | undefined> {
  const { sub } = currentUser();
  const [open]: { id: string }[] = await manager.query(
    `select b.id from jobs b cross join lateral (
       select array_agg(c.server_id || '@' || (c.input ->> 'version')) as servers,
         bool_or(c.cancel_asked_at is not null or c.state = 'cancelled') as is_cancelled
       from jobs c where c.batch_id = b.id
     ) t
     where b.owner_id = $1 and b.batch_id is null and b.created_at > now() - interval '1 hour'
       and b.is_batch and b.kind = $2 and b.actor_id = $3 and b.state in ('queued', 'running')
       and t.servers <@ $4 and t.servers @> $4 and not t.is_cancelled
     order by b.created_at desc limit 1`,
    [ownerId ?? sub, kind, sub, servers.map(({ id, version }) => `${id}@${version}`)],
  );
  return open?.id;
}
