import { listLocalBackups } from '@vigie/contracts/backups';
import { coreSlug, type Item } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import { readJob } from '@vigie/contracts/jobs';
import type { RestoreMode, RestoreScope } from '@vigie/contracts/restores';
import { type Repair, SiteRepairs } from '@vigie/contracts/site-repairs';
import { readSite, type Site } from '@vigie/contracts/sites';
import type { Bus } from '@vigie/service-kit/bus';
import { noItem, type Proposed } from './proposed';

const restoredParts = {
  all: 'tout le site',
  database: 'la base de données',
  uploads: 'les fichiers envoyés',
  plugins: 'les plugins',
  themes: 'les thèmes',
} satisfies Partial<Record<RestoreScope, string>>;

type Restore = { site_id: string; filename: string; mode: RestoreMode; scope: keyof typeof restoredParts };

/** Bound to the content of the archive by its hash: an archive on a host has none, so it cannot be proposed. */
export async function planRestore(bus: Bus, { site_id, filename, mode, scope }: Restore): Promise<Proposed> {
  const [site, { items }] = await Promise.all([
    bus.call(readSite, { id: site_id }),
    bus.call(listLocalBackups, { id: site_id, filename, limit: 1 }),
  ]);
  const [archive] = items;
  if (!archive) throw new AppError('not_found', 'Vigie ne garde aucune sauvegarde de ce nom.');
  // A site that is gone is shared with nobody: it is not named.
  const isForeign = archive.site_id !== site_id;
  const foreignId = isForeign ? archive.site_id : null;
  const origin = foreignId === null ? '.' : `\u00a0: ${archive.site_name}.`;
  const line = {
    ...noItem,
    site_id,
    site_name: site.name,
    name: filename,
    made_at: archive.created,
    warnings: isForeign ? [`Cette sauvegarde est celle d’un autre site${origin}`] : [],
  };
  const notes = [
    `Restaure ${restoredParts[scope]} depuis cette sauvegarde.`,
    mode === 'replace'
      ? 'Ce qui n’est pas dans la sauvegarde est supprimé du site.'
      : 'Ce qui n’est pas dans la sauvegarde reste sur le site.',
    'Vigie sauvegarde d’abord le site tel qu’il est.',
  ];
  const input = { id: site_id, filename, location: 'local', expected_sha256: archive.sha256, mode, scope };
  return { order: 'restore', input, plan: [line], named_site_ids: foreignId === null ? [] : [foreignId], notes };
}

type Installed = { name: string; version: string | null; previous: Site['previous'] };

function findInstalled(site: Site, { kind, slug }: Item): Installed | undefined {
  if (kind === 'core')
    return slug === coreSlug ? { name: 'WordPress', version: site.wpCore.version, previous: site.previous } : undefined;
  const extensions = kind === 'plugin' ? site.plugins : site.themes;
  return extensions.find((extension) => extension.slug === slug && extension.kind === 'regular');
}

type Rollback = { site_id: string; item: Item };

/** Bound to the installed version and to the copy that was shown. */
export async function planRollback(bus: Bus, { site_id, item }: Rollback): Promise<Proposed> {
  const site = await bus.call(readSite, { id: site_id });
  const installed = findInstalled(site, item);
  if (!installed) throw new AppError('not_found', 'Cet élément n’est pas sur ce site.');
  const { name, version: from, previous } = installed;
  if (!previous)
    throw new AppError(
      'conflict',
      `Aucune version précédente de ${name} n’est conservée\u00a0: les copies le sont 7 jours.`,
    );
  const { version: to, made_at, has_tables: hasTables } = previous;
  const line = {
    ...noItem,
    ...item,
    site_id,
    site_name: site.name,
    name,
    from,
    to: to ?? 'version précédente',
    made_at,
  };
  const loss =
    'La base de données revient aussi à ce jour-là\u00a0: ce qui a été écrit sur le site depuis (articles, commentaires, commandes) disparaît.';
  const notes = hasTables
    ? ['Vigie garde une copie des fichiers et de la base de données d’aujourd’hui.']
    : ['Vigie garde une copie des fichiers d’aujourd’hui.', 'La base de données ne change pas.'];
  const input = { id: site_id, ...item, expected: { from, made_at } };
  return { order: 'rollback', input, plan: [{ ...line, warnings: hasTables ? [loss] : [] }], notes };
}

const maxCheckAgeMs = 3_600_000;

type RepairWish = { site_id: string; check_job_id: string; repair: Repair };

/** Bound to a check of the site that a person has made: what an assistant may propose is what Vigie proposed there. */
export async function planRepair(bus: Bus, { site_id, check_job_id: checkId, repair }: RepairWish): Promise<Proposed> {
  const [site, job] = await Promise.all([
    bus.call(readSite, { id: site_id }),
    bus.call(readJob, { id: checkId, tail: 1 }),
  ]);
  const isOfSite = job.site_id === site_id && job.kind.startsWith('site-repairs.') && job.state === 'succeeded';
  const check = isOfSite ? SiteRepairs.safeParse(job.result).data?.look : undefined;
  if (!check)
    throw new AppError(
      'invalid',
      'Cette tâche n’est pas un examen réussi de ce site («\u00a0Site cassé\u202f?\u00a0»).',
    );
  if (Date.now() - Date.parse(check.at) > maxCheckAgeMs)
    throw new AppError('conflict', 'Cet examen a plus d’une heure\u00a0: examinez le site de nouveau dans Vigie.');
  const wanted = JSON.stringify(repair);
  const found = [...check.proposals, ...check.aside].find((each) => JSON.stringify(each.repair) === wanted);
  if (!found) throw new AppError('not_found', 'Cet examen ne propose pas cette réparation.');
  const { title: name, effect, refusal } = found;
  const line = { ...noItem, site_id, site_name: site.name, name, warnings: [], refusal };
  const again = 'Vigie examine le site de nouveau aussitôt après.';
  const notes = [effect, repair.action === 'end_maintenance' ? again : `Rien n’est supprimé. ${again}`];
  return { order: 'repair', input: { id: site_id, repair, expected_check: checkId }, plan: [line], notes };
}
