import { AppError } from '@vigie/contracts/errors';
import type { Team } from '@vigie/contracts/teams';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';

/** Administrators see all teams, by a token only in admin mode, and others those that they are in. */
export function readTeams(manager: EntityManager, id?: string): Promise<Team[]> {
  const { sub, role, token, adminMode } = currentUser();
  const seesAll = role === 'admin' && (token === undefined || adminMode);
  return manager.query(
    `select t.id, t.name, array(select m.user_id from team_members m where m.team_id = t.id order by m.user_id) as user_ids
     from teams t
     where ($1::uuid is null or exists (select from team_members m where m.team_id = t.id and m.user_id = $1))
       and ($2::uuid is null or t.id = $2)
     order by t.name, t.id`,
    [seesAll ? null : sub, id ?? null],
  );
}

export async function findTeam(manager: EntityManager, id: string): Promise<Team> {
  const [team] = await readTeams(manager, id);
  if (!team) throw new AppError('not_found', 'Cette équipe n’existe pas ou n’existe plus.');
  return team;
}
