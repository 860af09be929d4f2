import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  type DiagnosisStep,
  diagnoseServer,
  readStatus,
  serversChanged,
  testServer,
  trustHostKey,
} from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { recordDoing } from '../activity/doings';
import { isAdministrator } from '../owners/owners';
import { findServer, holdServer } from './find-server';
import { Looks } from './looks';
import { isCredentialRefusal, otherKey, toAppError } from './refusals';
import { Server, toAccess, toServer } from './server.entity';
import { Turns } from './turns';

const mostTests = 64;

/** What is asked of the servers themselves, by way of the agents. */
@Controller()
export class ContactsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly looks: Looks,
  ) {}

  private readonly running = new Map<string, Promise<Output<typeof testServer>>>();
  private readonly turns = new Turns(mostTests);

  @Handles(testServer)
  async test({ id }: Input<typeof testServer>): Promise<Output<typeof testServer>> {
    const server = await findServer(this.database.manager, id);
    const key = `${id}@${server.version}`;
    return this.running.get(key) ?? this.start(key, server);
  }

  /** Whoever asks for a test that is under way shares it: each one of its own would be one more login to refuse. */
  private async start(key: string, server: Server): Promise<Output<typeof testServer>> {
    const leave = this.turns.take(currentUser().sub);
    if (!leave) throw new AppError('too_many', 'Trop de tests sont en cours. Attendez leur fin.', { retryAfter: 10 });
    const test = this.contact(server).finally(() => {
      this.running.delete(key);
      leave();
    });
    this.running.set(key, test);
    return test;
  }

  private async contact(server: Server): Promise<Output<typeof testServer>> {
    const { manager } = this.database;
    const access = toAccess(server, await isAdministrator(manager, server.ownerId));
    const { steps, host_key: hostKey, method, stdout, stderr, failure } = await this.bus.call(diagnoseServer, access);
    if (failure) {
      if (isCredentialRefusal(failure)) await this.keep(server, { refusal: failure.message });
      throw toAppError(failure, { steps, stdout, stderr });
    }
    if (hostKey === null) throw new Error('a test succeeded without a host key');
    await this.keep(server, { refusal: null });
    await this.looks.pin(server, hostKey);
    await this.refuseOtherKey(server, hostKey, steps);
    return { stdout, method, host_key: hostKey, steps };
  }

  /** At a first meeting somebody else may have been shown another key, and pinned it. */
  private async refuseOtherKey({ id, version }: Server, actual: string, steps: DiagnosisStep[]): Promise<void> {
    const pinned = await this.database.manager.findOneBy(Server, { id, version });
    const expected = pinned?.hostKey ?? actual;
    if (expected !== actual) throw toAppError(otherKey(expected, actual), { steps });
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
    return toServer(server, await this.countSites(id));
  }

  private async countSites(id: string): Promise<number> {
    const [row]: { n: number }[] = await this.database.query(
      'select count(*)::int as n from sites where server_id = $1',
      [id],
    );
    return row?.n ?? 0;
  }

  /** What was found holds for the server as it was asked. */
  private async keep({ id, version }: Server, found: Partial<Pick<Server, 'refusal'>>): Promise<void> {
    await this.database.manager.update(Server, { id, version }, found);
  }
}
