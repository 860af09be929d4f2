import type { ChangeInput } from '@vigie/contracts/changes';
import { type EntityManager, In } from 'typeorm';
import { Job } from '../jobs/job.entity';
import { auditChanges } from './audit-changes';
import { fromTo } from './from-to';
import { findWares, itemKeyOf } from './wares';

/** What is asked for again is asked for as it is offered now; where nothing is, its site says so. */
export async function renewChanges(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const jobs = await manager.find(Job, { where: { id: In([...ids]) }, order: { id: 'asc' } });
  const asked = jobs.map(({ id, kind, siteId, siteName, input }) => {
    const { site, ...change } = input as ChangeInput;
    return { id, kind, on: { id: siteId ?? site.id, name: siteName ?? '' }, input: change };
  });
  const wares = await findWares(
    manager,
    asked.map(({ on, input: { item } }) => ({ site_id: on.id, ...item })),
  );
  const renewed = asked.map((change) => {
    const ware = wares.get(itemKeyOf({ site_id: change.on.id, ...change.input.item }));
    if (change.kind !== 'changes.update' || !ware?.has_update) return change;
    const [from, to] = [ware.version, ware.new_version];
    return { ...change, input: { ...change.input, from, to }, about: fromTo(ware.name, from, to) };
  });
  await manager.query(
    `update jobs j set about = coalesce(r.about, j.about), input = j.input || jsonb_build_object('from', r.from, 'to', r.to)
     from jsonb_to_recordset($1::jsonb) as r(id uuid, about text, "from" text, "to" text) where j.id = r.id`,
    [JSON.stringify(renewed.map(({ id, input: { from, to }, ...rest }) => ({ id, from, to, ...rest })))],
  );
  await auditChanges(manager, renewed);
}
