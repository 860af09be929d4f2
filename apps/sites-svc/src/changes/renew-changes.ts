import type { ChangeInput } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import { type EntityManager, In, Not } from 'typeorm';
import { findInstalledItems, type InstalledItem, itemKeyOf } from '../items/installed-items';
import type { RetriedJob } from '../queue/jobs';
import { Upload } from '../uploads/upload.entity';
import { fromTo } from './change-requests';
import { findReplacementUploads, toPackage } from './locked-uploads';

type RetriedChange = RetriedJob & { input: ChangeInput };

const itemOf = ({ input: { site, item } }: RetriedChange) => ({ site_id: site.id, ...item });

/** Retries an update with the version offered now, and an install with the current upload; the job itself refuses if there is none. */
export async function renewChanges(
  manager: EntityManager,
  jobs: readonly RetriedJob[],
): Promise<readonly RetriedJob[]> {
  const changes = jobs as readonly RetriedChange[];
  const installedItems = await findInstalledItems(manager, changes.map(itemOf));
  const archives = await findReplacementUploads(manager, changes);
  await refuseForeignPackages(
    manager,
    changes.filter(({ id }) => !archives.has(id)),
  );
  return changes.map((change) => {
    const installed = installedItems.get(itemKeyOf(itemOf(change)));
    const archive = archives.get(change.id);
    if (archive && archive.objectKey !== change.input.package?.key) return installWith(archive, change, installed);
    if (change.kind !== 'changes.update' || !installed?.has_update) return change;
    const [from, to] = [installed.version, installed.new_version];
    return { ...change, input: { ...change.input, from, to }, about: fromTo(installed.name, from, to) };
  });
}

/** A package may have stayed with the former owner of the site. */
async function refuseForeignPackages(manager: EntityManager, changes: readonly RetriedChange[]): Promise<void> {
  const keys = changes.flatMap(({ input }) => input.package?.key ?? []);
  if (keys.length === 0) return;
  const uploads = await manager.findBy(Upload, { objectKey: In(keys), ownerId: Not(currentUser().sub) });
  const ownersByKey = new Map(uploads.map(({ objectKey, ownerId }) => [objectKey, ownerId]));
  for (const { owner_id: ownerId, input } of changes) {
    const holder = input.package && ownersByKey.get(input.package.key);
    if (input.package && holder !== undefined && holder !== ownerId) throw packageGone(input.package.filename);
  }
}

const packageGone = (filename: string) =>
  new AppError(
    'conflict',
    `L’archive ${filename} est à quelqu’un d’autre\u00a0: téléversez-la, puis installez-la de nouveau.`,
  );

function installWith(archive: Upload, change: RetriedChange, installed: InstalledItem | undefined): RetriedChange {
  const item = { ...change.input.item, name: archive.name };
  const [from, to] = [installed?.version ?? null, archive.version];
  return {
    ...change,
    input: { ...change.input, item, from, to, package: toPackage(archive) },
    about: archive.filename,
  };
}
