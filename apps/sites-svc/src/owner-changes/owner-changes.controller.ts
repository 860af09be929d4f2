import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { sitesOutboxWritten } from '@vigie/contracts/outbox';
import { changeOwner, changeOwnerOfSites, type OwnerPlan, planOwner } from '@vigie/contracts/owner-changes';
import { serversChanged } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { passOn } from './change-owner';
import { findPassingOn, findRoots, idsOf, type Named } from './passing-on';
import { findUsers, requireUser } from '../owners/people';
import { planOf } from './plan-owner';

/** A message of the bus names this many at most. */
const maxIds = 1_000;

type Passed = Output<typeof changeOwner>;
type Choices = Omit<Input<typeof changeOwnerOfSites>, 'ids' | 'user_id'>;

/** Lets an administrator give sites, servers and groups to another owner. */
@Controller()
export class OwnerChangesController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  @Handles(planOwner)
  async plan({ kind, ids, user_id: userId }: Input<typeof planOwner>): Promise<OwnerPlan> {
    const { manager } = this.database;
    const user = await requireUser(this.bus, userId);
    const passing = await findPassingOn(manager, { kind, ids, userId });
    if (passing.roots.length === 0) throw new AppError('conflict', `Tout cela appartient déjà à ${user.name}.`);
    return planOf(manager, passing, user);
  }

  @Handles(changeOwner)
  change({ kind, id, user_id: userId, ...choices }: Input<typeof changeOwner>): Promise<Passed> {
    return this.pass({ kind, ids: [id], userId }, choices);
  }

  @Handles(changeOwnerOfSites)
  changeSites({ ids, user_id: userId, ...choices }: Input<typeof changeOwnerOfSites>): Promise<Passed> {
    return this.pass({ kind: 'site', ids, userId }, choices);
  }

  private async pass(named: Named, choices: Choices): Promise<Passed> {
    const user = await requireUser(this.bus, named.userId);
    const ownerIds = (await findRoots(this.database.manager, named)).map(({ ownerId }) => ownerId);
    const owners = await findUsers(this.bus, ownerIds);
    const names = new Map(ownerIds.map((id) => [id, owners.get(id)?.name ?? 'Compte supprimé'] as const));
    const { sites, servers, groups } = await this.database.transaction((manager) =>
      passOn(manager, { ...named, ...choices, user, owners: names }),
    );
    this.publishChanged([...idsOf(servers), ...idsOf(sites)]);
    this.bus.publish(sitesOutboxWritten, {});
    return { sites: sites.length, servers: servers.length, groups: groups.length };
  }

  /** Whether a connection may go to a private address depends on the owner: open ones are closed. */
  private publishChanged(ids: readonly string[]): void {
    for (let at = 0; at < ids.length; at += maxIds) {
      this.bus.publish(serversChanged, { ids: ids.slice(at, at + maxIds) });
    }
  }
}
