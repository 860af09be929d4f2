import type { ChangeInput } from '@vigie/contracts/changes';
import { type EntityManager, In } from 'typeorm';
import { Job } from '../queue/job.entity';
import type { Upload } from '../uploads/upload.entity';
import { auditChanges } from './audit-changes';
import { fromTo } from './change-requests';
import { findReplacementUploads, toPackage } from './locked-uploads';
import { findInstalledItems, itemKeyOf, type InstalledItem } from '../items/installed-items';

type RetriedChange = {
  id: string;
  kind: string;
  target: { id: string; name: string };
  input: Omit<ChangeInput, 'site'>;
  /** Undefined when the job's row keeps its own. */
  about?: string;
};

/** Retries an update with the version offered now, and an install with the current upload; the job itself refuses if there is none. */
export async function renewChanges(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const jobs = await manager.find(Job, { where: { id: In([...ids]) }, order: { id: 'asc' } });
  const changes: RetriedChange[] = jobs.map(({ id, kind, siteId, siteName, input }) => {
    const { site, ...change } = input as ChangeInput;
    return { id, kind, target: { id: siteId ?? site.id, name: siteName ?? '' }, input: change };
  });
  const installedItems = await findInstalledItems(
    manager,
    changes.map(({ target, input: { item } }) => ({ site_id: target.id, ...item })),
  );
  const archives = await findReplacementUploads(manager, jobs);
  const renewed = changes.map((change) => {
    const installed = installedItems.get(itemKeyOf({ site_id: change.target.id, ...change.input.item }));
    const archive = archives.get(change.id);
    if (archive && archive.objectKey !== change.input.package?.key) return installWith(archive, change, installed);
    if (change.kind !== 'changes.update' || !installed?.has_update) return change;
    const [from, to] = [installed.version, installed.new_version];
    return { ...change, input: { ...change.input, from, to }, about: fromTo(installed.name, from, to) };
  });
  await manager.query(
    `update jobs j set about = coalesce(r.about, j.about), input = j.input
       || jsonb_build_object('from', r.from, 'to', r.to, 'item', r.item, 'package', r.package)
     from jsonb_to_recordset($1::jsonb) as r(id uuid, about text, "from" text, "to" text, item jsonb, package jsonb)
     where j.id = r.id`,
    [JSON.stringify(renewed.map(({ id, about, input }) => ({ ...input, id, about })))],
  );
  await auditChanges(manager, renewed);
}

function installWith(archive: Upload, change: RetriedChange, installed: InstalledItem | undefined): RetriedChange {
  const item = { ...change.input.item, name: archive.name };
  const [from, to] = [installed?.version ?? null, archive.version];
  return {
    ...change,
    input: { ...change.input, item, from, to, package: toPackage(archive) },
    about: archive.filename,
  };
}
