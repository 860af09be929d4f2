import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import type { JobKind } from '@vigie/contracts/jobs';
import {
  readStatus,
  readStatuses,
  serversChanged,
  splitIds,
  testServer,
  testServers,
  trustHostKey,
} from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, In } from 'typeorm';
import { recordAuditEvent } from '../activity/audit-events';
import { RequestedJobs } from '../queue/requested-jobs';
import { serverTarget } from '../queue/jobs';
import { ownerFilter } from '../owners/owner-filter';
import { findServer, lockServer, lockServersToTest } from './find-server';
import { ServerProbes } from './server-probes';
import { Server, toStatus } from './server.entity';
import { resetSiteConnections, toServerView } from './server-responses';
import { refuseUnshownKey } from './shown-keys';

const kind: JobKind = 'servers.test';

/** Requests that agents carry out on the servers themselves. */
@Controller()
export class ServerContactsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly probes: ServerProbes,
    private readonly jobs: RequestedJobs,
  ) {}

  /** A job, because a slow login takes longer than a request may. A running test is shared: hosts count refused logins. */
  @Handles(testServer)
  async test(input: Input<typeof testServer>): Promise<Output<typeof testServer>> {
    return this.jobs.createCheck(testServer, input, async (manager) => {
      const server = await lockServer(manager, input.id);
      return { kind, target: serverTarget(server), input: { version: server.version } };
    });
  }

  @Handles(testServers)
  async testAll(input: Input<typeof testServers>): Promise<Output<typeof testServers>> {
    return this.jobs.createChecks(testServers, input, kind, async (manager) => {
      const servers = await lockServersToTest(manager, input.ids);
      return servers.map((server) => ({ target: serverTarget(server), input: { version: server.version } }));
    });
  }

  @Handles(readStatus)
  async status({ id, fresh }: Input<typeof readStatus>) {
    const server = await findServer(this.database.manager, id);
    const [current] = await this.probes.statusesOf([server], fresh === '1');
    return current ?? toStatus(server);
  }

  @Handles(readStatuses)
  async statuses({ ids, fresh }: Input<typeof readStatuses>) {
    const servers = await this.database.manager.findBy(Server, { ...ownerFilter(), id: In(splitIds(ids)) });
    return this.probes.statusesOf(servers, fresh === '1');
  }

  @Handles(trustHostKey)
  async trust({ id, fingerprint }: Input<typeof trustHostKey>) {
    const server = await this.database.transaction(async (manager) => {
      const locked = await lockServer(manager, id);
      const { hostKey: previous, shownKey, version } = locked;
      if (previous === fingerprint) return toServerView(manager, id);
      refuseUnshownKey(shownKey, fingerprint);
      const pin = { hostKey: fingerprint, shownKey: null, version: version + 1 };
      await manager.update(Server, { id }, { ...pin, status: null, alerts: [] });
      await resetSiteConnections(manager, id, false);
      const details = { host_key: fingerprint, previous };
      await recordAuditEvent(manager, { type: 'server_edit', server: locked, details });
      return toServerView(manager, id);
    });
    this.bus.publish(serversChanged, { ids: [id] });
    return server;
  }
}
