import type { EntityManager } from 'typeorm';
import { idsOf, type PassingOn } from './passing-on';

/** The uploads of the owners of these sites whose plugin or theme is on one of them, and on no other site of its owner. */
export async function findOwnUploads(manager: EntityManager, { sites }: PassingOn): Promise<string[]> {
  const isItem = 'x.type = u.type and x.slug = u.slug';
  const rows: { id: string }[] = await manager.query(
    `select u.id from uploads u where u.owner_id = any($2::uuid[])
       and exists (select from site_extensions x where x.site_id = any($1::uuid[]) and ${isItem})
       and not exists (select from site_extensions x
         where x.site_id <> all($1::uuid[]) and x.owner_id = u.owner_id and ${isItem})
     order by u.id`,
    [idsOf(sites), [...new Set(sites.map(({ ownerId }) => ownerId))]],
  );
  return rows.map(({ id }) => id);
}

/** Leaves out what is replaced by another archive before the lock. */
export async function lockOwnUploads(manager: EntityManager, passing: PassingOn): Promise<string[]> {
  const found = await findOwnUploads(manager, passing);
  await manager.query('select from uploads where id = any($1::uuid[]) order by id for update', [found]);
  const still = new Set(await findOwnUploads(manager, passing));
  return found.filter((id) => still.has(id));
}
