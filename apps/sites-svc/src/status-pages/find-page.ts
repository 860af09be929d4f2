import type { StatusPage } from '@vigie/contracts/status-pages';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import { findGroup, type Group } from '../groups/group.entity';

export type PageRow = {
  id: string;
  group_id: string;
  title: string;
  shows_incidents: boolean;
  created_at: Date;
  created_by: string;
};

export const pageColumns = 'id, group_id, title, shows_incidents, created_at, created_by';

export const toStatusPage = ({ title, shows_incidents, created_at: at, created_by }: PageRow): StatusPage => ({
  title,
  shows_incidents,
  created_at: at.toISOString(),
  created_by,
});

export async function findPage(manager: EntityManager, groupId: string): Promise<PageRow | undefined> {
  const [page]: PageRow[] = await manager.query(`select ${pageColumns} from status_pages where group_id = $1`, [
    groupId,
  ]);
  return page;
}

export async function findPublicPage(manager: EntityManager, secretHash: string): Promise<PageRow> {
  const [page]: PageRow[] = await manager.query(`select ${pageColumns} from status_pages where secret_hash = $1`, [
    secretHash,
  ]);
  if (!page) throw new AppError('not_found', 'Cette page n’existe pas ou n’est plus publiée.');
  return page;
}

/**
 * Keeps the caller's group and its owner until the transaction ends: a change of the owner ends the page, and one that is
 * published meanwhile would outlive it.
 */
export async function keepOwner(manager: EntityManager, groupId: string): Promise<Group> {
  await manager.query('select from groups where id = $1 for share', [groupId]);
  return findGroup(manager, groupId);
}
