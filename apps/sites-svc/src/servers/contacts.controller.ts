import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { readStatus, serversChanged, testServer, trustHostKey } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { recordDoing } from '../activity/doings';
import { Jobs } from '../jobs/jobs';
import { countSites } from './count-sites';
import { findServer, holdServer } from './find-server';
import { Looks } from './looks';
import { Server, toServer } from './server.entity';

/** What is asked of the servers themselves, by way of the agents. */
@Controller()
export class ContactsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly looks: Looks,
    private readonly jobs: Jobs,
  ) {}

  /**
   * A slow login takes longer than anybody should wait for an answer. Whoever asks for a test that is under way shares
   * it: each one of its own would be one more login to refuse.
   */
  @Handles(testServer)
  async test({ id }: Input<typeof testServer>): Promise<Output<typeof testServer>> {
    const job = await this.database.transaction(async (manager) => {
      const server = await holdServer(manager, id);
      const order = { kind: 'servers.test', server, input: { version: server.version }, isLook: true };
      return (await this.jobs.findOpen(manager, order)) ?? this.jobs.add(manager, order);
    });
    this.jobs.announce();
    return { job_id: job.id, state: job.state };
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
      await recordDoing(manager, { type: 'server_edit', server: held, details });
      return findServer(manager, id);
    });
    this.bus.publish(serversChanged, { ids: [id] });
    const counts = await countSites(this.database.manager, [server]);
    return toServer(server, counts.get(id) ?? 0);
  }
}
