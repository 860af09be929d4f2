import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { createTeam, deleteTeam, editTeam, listTeams, type Team } from '@vigie/contracts/teams';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordInAudit } from '../activity/audit-events';
import { findUsers, type KnownUser, unknownPerson } from '../owners/people';
import { lockUsers } from '../owners/owners';
import { findTeam, readTeams } from './find-team';

/** Named sets of users, with which sites and groups can be shared. */
@Controller()
export class TeamsController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly bus: Bus,
  ) {}

  @Handles(listTeams)
  async list() {
    const items = await readTeams(this.database.manager);
    return { items, total: items.length };
  }

  @Handles(createTeam)
  async create(input: Input<typeof createTeam>): Promise<Team> {
    const users = await this.requireUsers(input.user_ids);
    const newId = uuid();
    return this.database.transaction(async (manager) => {
      const existingId = await this.idempotencyKeys.claim(manager, createTeam, input, newId);
      if (existingId !== undefined) return findTeam(manager, existingId);
      await manager.query('insert into teams (id, name) values ($1, $2)', [newId, input.name]).catch(refuseTakenName);
      await setMembers(manager, newId, users);
      const details = { members: users.map(({ email }) => email) };
      await recordInAudit(manager, [{ action: 'team_create', target: input.name, targetId: newId, details }]);
      return findTeam(manager, newId);
    });
  }

  @Handles(editTeam)
  async edit({ id, name, user_ids: userIds }: Input<typeof editTeam>): Promise<Team> {
    const users = userIds && (await this.requireUsers(userIds));
    return this.database.transaction(async (manager) => {
      const team = await lockTeam(manager, id);
      if (name !== undefined)
        await manager.query('update teams set name = $2 where id = $1', [id, name]).catch(refuseTakenName);
      if (users) await setMembers(manager, id, users);
      const details = {
        ...(name !== undefined && { name }),
        ...(users && { members: users.map(({ email }) => email) }),
      };
      await recordInAudit(manager, [{ action: 'team_edit', target: team.name, targetId: id, details }]);
      return findTeam(manager, id);
    });
  }

  @Handles(deleteTeam)
  async delete({ id }: Input<typeof deleteTeam>) {
    await this.database.transaction(async (manager) => {
      const { name } = await lockTeam(manager, id);
      await manager.query('delete from teams where id = $1', [id]);
      await recordInAudit(manager, [{ action: 'team_delete', target: name, targetId: id, details: {} }]);
    });
    return {};
  }

  private async requireUsers(ids: readonly string[]): Promise<KnownUser[]> {
    const users = [...(await findUsers(this.bus, ids)).values()];
    if (users.length < new Set(ids).size) throw unknownPerson();
    return users;
  }
}

async function lockTeam(manager: EntityManager, id: string): Promise<Team> {
  await manager.query('select from teams where id = $1 for update', [id]);
  return findTeam(manager, id);
}

async function setMembers(manager: EntityManager, id: string, users: readonly KnownUser[]): Promise<void> {
  if (!(await lockUsers(manager, users))) throw unknownPerson();
  const ids = users.map((user) => user.id);
  await manager.query('delete from team_members where team_id = $1 and user_id <> all($2::uuid[])', [id, ids]);
  await manager.query(
    'insert into team_members (team_id, user_id) select $1, u from unnest($2::uuid[]) u on conflict do nothing',
    [id, ids],
  );
}

function refuseTakenName(error: unknown): never {
  if (Object(error).code !== '23505') throw error;
  throw new AppError('conflict', 'Une équipe porte déjà ce nom.', { cause: error });
}
