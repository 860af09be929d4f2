import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import type { JobKind } from '@vigie/contracts/jobs';
import {
  readStatus,
  readStatuses,
  serversChanged,
  testServer,
  testServers,
  trustHostKey,
} from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, In } from 'typeorm';
import { recordDoing } from '../activity/doings';
import { AskedLooks } from '../jobs/asked-looks';
import { serverTarget } from '../jobs/jobs';
import { ownerFilter } from '../owners/owner-filter';
import { findServer, holdServer, keepServers } from './find-server';
import { Looks } from './looks';
import { Server, toStatus } from './server.entity';
import { changeWays, toServerView } from './server-answers';
import { refuseUnshownKey } from './shown-keys';

const kind: JobKind = 'servers.test';

/** What is asked of the servers themselves, by way of the agents. */
@Controller()
export class ServerContactsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly looks: Looks,
    private readonly asked: AskedLooks,
  ) {}

  /**
   * A slow login takes longer than anybody should wait for an answer. Whoever asks for a test that is under way shares
   * it: each one of its own would be one more login to refuse.
   */
  @Handles(testServer)
  async test(input: Input<typeof testServer>): Promise<Output<typeof testServer>> {
    return this.asked.one(testServer, input, async (manager) => {
      const server = await holdServer(manager, input.id);
      return { kind, on: serverTarget(server), input: { version: server.version } };
    });
  }

  /** Asked again while the same tests are under way, it is the same batch. */
  @Handles(testServers)
  async testAll(input: Input<typeof testServers>): Promise<Output<typeof testServers>> {
    return this.asked.many(testServers, input, kind, async (manager) => {
      const servers = await keepServers(manager, input.ids);
      return servers.map((server) => ({ on: serverTarget(server), input: { version: server.version } }));
    });
  }

  @Handles(readStatus)
  async status({ id, fresh }: Input<typeof readStatus>) {
    const server = await findServer(this.database.manager, id);
    const [seen] = await this.looks.statusesOf([server], fresh === '1');
    return seen ?? toStatus(server);
  }

  @Handles(readStatuses)
  async statuses({ ids, fresh }: Input<typeof readStatuses>) {
    const servers = await this.database.manager.findBy(Server, { ...ownerFilter(), id: In(ids) });
    return this.looks.statusesOf(servers, fresh === '1');
  }

  @Handles(trustHostKey)
  async trust({ id, fingerprint }: Input<typeof trustHostKey>) {
    const server = await this.database.transaction(async (manager) => {
      const held = await holdServer(manager, id);
      const { hostKey: previous, shownKey, version } = held;
      if (previous === fingerprint) return held;
      refuseUnshownKey(shownKey, fingerprint);
      const pin = { hostKey: fingerprint, shownKey: null, version: version + 1 };
      await manager.update(Server, { id }, { ...pin, status: null, alerts: [] });
      await changeWays(manager, id, false);
      const details = { host_key: fingerprint, previous };
      await recordDoing(manager, { type: 'server_edit', server: held, details });
      return findServer(manager, id);
    });
    this.bus.publish(serversChanged, { ids: [id] });
    return toServerView(this.database.manager, server);
  }
}
