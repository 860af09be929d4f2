import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { createGrant, deleteGrant, type Grant, listGrants } from '@vigie/contracts/grants';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordAuditEvent } from '../activity/audit-events';
import { findGroup, keepGroup } from '../groups/group.entity';
import { owns } from '../owners/owner-filter';
import { lockUsers } from '../owners/owners';
import { findUsers, type KnownUser, requireUser, unknownPerson } from '../owners/people';
import { findSite, keepSite } from '../sites/find-site';
import { findTeam } from '../teams/find-team';
import { findGrants, type GrantRow } from './find-grants';

type NewGrant = Input<typeof createGrant>;
/** The site or group that is shared. */
type Shared = { kind: 'site' | 'group'; id: string; name: string; ownerId: string };

/** Shares sites and groups with people and teams. A person who manages them may do so, and manager is the strongest role. */
@Controller()
export class GrantsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  @Handles(listGrants)
  async list(filters: Input<typeof listGrants>): Promise<Output<typeof listGrants>> {
    const { manager } = this.database;
    if (filters.site_id !== undefined) await findSite(manager, filters.site_id);
    if (filters.group_id !== undefined) await findGroup(manager, filters.group_id);
    const { rows, total } = await findGrants(manager, filters);
    return { items: await this.withNames(rows), total };
  }

  @Handles(createGrant)
  async create(input: NewGrant): Promise<Grant> {
    const user = input.user_id === undefined ? undefined : await requireUser(this.bus, input.user_id);
    const id = await this.database.transaction(async (manager) => {
      const shared = await lockShared(manager, input);
      if (user) await requirePossible(manager, user, shared);
      if (input.team_id !== undefined) await refuseOwnTeam(manager, input.team_id, shared);
      const name = user ? user.name : (await findTeam(manager, input.team_id ?? '')).name;
      const { id: grantId, isNew } = await saveGrant(manager, input);
      const details = { to: name, role: input.role };
      const type = isNew ? 'grant_create' : 'grant_edit';
      await recordAuditEvent(manager, { type, [shared.kind]: shared, details });
      return grantId;
    });
    const { rows } = await findGrants(this.database.manager, { id, limit: 1, offset: 0 });
    const [grant] = await this.withNames(rows);
    if (!grant) throw unknownGrant();
    return grant;
  }

  @Handles(deleteGrant)
  async delete({ id }: Input<typeof deleteGrant>) {
    const { rows } = await findGrants(this.database.manager, { id, limit: 1, offset: 0 });
    const [grant] = await this.withNames(rows);
    if (!grant) throw unknownGrant();
    await this.database.transaction(async (manager) => {
      const shared = await lockShared(manager, grant);
      const [[deleted]]: [unknown[], number] = await manager.query('delete from grants where id = $1 returning id', [
        id,
      ]);
      if (!deleted) throw unknownGrant();
      const details = { to: grant.name, role: grant.role };
      await recordAuditEvent(manager, { type: 'grant_delete', [shared.kind]: shared, details });
    });
    return {};
  }

  private async withNames(rows: readonly GrantRow[]): Promise<Grant[]> {
    const users = await findUsers(
      this.bus,
      rows.flatMap(({ user_id: userId }) => userId ?? []),
    );
    return rows.map(({ team_name: teamName, created_at: at, ...grant }) => {
      const user = users.get(grant.user_id ?? '');
      const name = user?.name ?? teamName ?? 'Compte supprimé';
      return { ...grant, name, email: user?.email ?? null, created_at: at.toISOString() };
    });
  }
}

const unknownGrant = () => new AppError('not_found', 'Ce partage n’existe pas ou n’existe plus.');

/** Keeps the owner of what is shared until the transaction ends. */
async function lockShared(
  manager: EntityManager,
  { site_id: siteId, group_id: groupId }: { site_id?: string | null | undefined; group_id?: string | null | undefined },
): Promise<Shared> {
  const kind = siteId ? 'site' : 'group';
  const { id, name, ownerId } = siteId ? await keepSite(manager, siteId) : await keepGroup(manager, groupId ?? '');
  return { kind, id, name, ownerId };
}

/** A person who granted something to themselves would keep it after their own grant has ended. */
const ownGrant = () => new AppError('conflict', 'Vous y avez déjà accès\u00a0: partagez avec quelqu’un d’autre.');

async function requirePossible(manager: EntityManager, user: KnownUser, { ownerId, kind }: Shared): Promise<void> {
  if (user.id === ownerId) {
    const what = kind === 'site' ? 'ce site' : 'ce groupe';
    throw new AppError('conflict', `${user.name} possède déjà ${what}.`);
  }
  if (user.id === currentUser().sub) throw ownGrant();
  if (!(await lockUsers(manager, [user]))) throw unknownPerson();
}

/** The same by a team. Its owner may share with a team of which they are a member. */
async function refuseOwnTeam(manager: EntityManager, teamId: string, { ownerId }: Shared): Promise<void> {
  const { sub } = currentUser();
  if (owns({ ownerId })) return;
  const members: unknown[] = await manager.query('select from team_members where team_id = $1 and user_id = $2', [
    teamId,
    sub,
  ]);
  if (members.length > 0) throw new AppError('conflict', ownTeam);
}

const ownTeam = 'Vous êtes membre de cette équipe\u00a0: demandez au propriétaire de partager avec elle.';

/** What is shared, or the team, may be deleted while the grant is made. */
function refuseDeleted(error: unknown): never {
  if (Object(error).code !== '23503') throw error;
  throw new AppError('not_found', 'Ce que vous partagez vient d’être supprimé. Rechargez la page.', { cause: error });
}

/** Returns the grant, which was there already if the site or group was shared with them before. */
async function saveGrant(manager: EntityManager, grant: NewGrant): Promise<{ id: string; isNew: boolean }> {
  const { name, email } = currentUser();
  const insert = manager.query<{ id: string; isNew: boolean }[]>(
    `insert into grants (id, site_id, group_id, user_id, team_id, role, shared_by)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (coalesce(site_id, group_id), coalesce(user_id, team_id))
       do update set role = excluded.role, shared_by = excluded.shared_by
     returning id, xmax = 0 as "isNew"`,
    [
      uuid(),
      grant.site_id ?? null,
      grant.group_id ?? null,
      grant.user_id ?? null,
      grant.team_id ?? null,
      grant.role,
      name ?? email ?? 'Vigie',
    ],
  );
  const [saved] = await insert.catch(refuseDeleted);
  if (!saved) throw new Error('an insert that updates returns its row');
  return saved;
}
