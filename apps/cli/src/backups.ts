import {
  type Backup,
  createBackup,
  CreatedBackup,
  downloadBackup,
  listBackups,
  listLocalBackups,
  type LocalBackup,
} from '@vigie/contracts/backups';
import { type Job, readJob } from '@vigie/contracts/jobs';
import { restoreBackup, RestoreMode, RestoreScope, restoreWord } from '@vigie/contracts/restores';
import { backupSites } from '@vigie/contracts/site-batches';
import type { SiteItem } from '@vigie/contracts/sites';
import type { Cli } from './cli';
import { exitCodes, Failure, usage } from './failures';
import { endingOf, followOrder, isDetached, jobsOfBatch, orComplain, sayEnd, seeThrough } from './follow';
import { count, type Words } from './language';
import { findSite, findSites } from './names';
import { formatSize, formatTime } from './times';

type Archive = { site_id: string; site_name: string; filename: string; size: number };

const archiveOf = ({ result, site_id: id, site_name: name }: Job): Archive[] => {
  const archive = CreatedBackup.pick({ filename: true, size: true }).safeParse(result);
  return archive.success && id !== null ? [{ site_id: id, site_name: name ?? '', ...archive.data }] : [];
};

/** Adds the archives that a job made, or the jobs of a batch: those that could be read stay when the next cannot. */
async function addArchives(cli: Cli, job: Job, archives: Archive[]): Promise<void> {
  if (!job.counts) archives.push(...archiveOf(job));
  else
    for (const { id, state } of await jobsOfBatch(cli, job.id))
      if (state === 'succeeded') archives.push(...archiveOf(await cli.api.call(readJob, { id, tail: 1 })));
}

/** An archive that is not named here cannot be restored by what follows in a script. */
function codeOfBackup(cli: Cli, job: Job, archives: readonly Archive[]): number {
  const code = exitCodes[endingOf(job)];
  const missing = (job.counts?.succeeded ?? Number(job.state === 'succeeded')) - archives.length;
  if (missing <= 0) return code;
  const what = count(
    missing,
    ['archive faite n’est pas nommée', 'archives faites ne sont pas nommées'],
    ['archive was made and is not named', 'archives were made and are not named'],
  );
  cli.note({ fr: `${what.fr} ici.`, en: `${what.en} here.` });
  return Math.max(code, exitCodes.failed);
}

async function sayFailures(cli: Cli, job: Job): Promise<void> {
  if (!job.counts) return;
  for (const { state, site_name: name, error } of await jobsOfBatch(cli, job.id))
    if (state !== 'succeeded') cli.output.note(`${name ?? ''}\u00a0: ${error?.message ?? state}`);
}

/** Copies each archive to Vigie too. Returns the exit code of the worst copy. */
async function copyToVigie(cli: Cli, archives: readonly Archive[]): Promise<number> {
  let code: number = exitCodes.done;
  for (const { site_id: id, filename } of archives) {
    try {
      const job = await followOrder(cli, await cli.api.call(downloadBackup, { id, filename }));
      if (job.state !== 'succeeded') sayEnd(cli, job);
      code = Math.max(code, exitCodes[endingOf(job)]);
    } catch (error) {
      code = Math.max(code, cli.explain(error));
    }
  }
  return code;
}

const orderBackups = (cli: Cli, sites: readonly SiteItem[]) => {
  const exclude = { exclude_cache: !cli.has('with-cache') };
  const [only] = sites;
  return only && sites.length === 1
    ? cli.api.call(createBackup, { id: only.id, ...exclude })
    : cli.api.call(backupSites, { ids: sites.map(({ id }) => id), ...exclude });
};

export async function backup(cli: Cli): Promise<number> {
  if (cli.has('download') && cli.has('detach'))
    throw usage(
      '--download attend la fin de la sauvegarde\u00a0: il ne va pas avec --detach.',
      '--download waits for the end of the backup: it does not go with --detach.',
    );
  const ticket = await orderBackups(cli, await findSites(cli));
  if (isDetached(cli, ticket)) return exitCodes.done;
  const job = await followOrder(cli, ticket);
  const archives: Archive[] = [];
  await orComplain(cli, () => addArchives(cli, job, archives));
  if (cli.isJson) cli.output.json({ job, archives });
  else
    cli.output.tableById(
      ['ID', 'ARCHIVE', cli.say({ fr: 'TAILLE', en: 'SIZE' }), 'SITE'],
      archives.map(({ site_id: id, filename, size, site_name: name }) => [
        id,
        filename,
        cli.say(formatSize(size)),
        name,
      ]),
    );
  await orComplain(cli, () => sayFailures(cli, job));
  sayEnd(cli, job);
  const code = codeOfBackup(cli, job, archives);
  return cli.has('download') ? Math.max(code, await copyToVigie(cli, archives)) : code;
}

export async function list(cli: Cli): Promise<number> {
  const { id } = await findSite(cli, cli.given.parameters[0] ?? '');
  const { data, raw } = await cli.api.answer(listBackups, { id });
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.table(
      [
        'ARCHIVE',
        cli.say({ fr: 'DATE', en: 'DATE' }),
        cli.say({ fr: 'TAILLE', en: 'SIZE' }),
        cli.say({ fr: 'OÙ', en: 'WHERE' }),
      ],
      data.map((each) => [
        each.filename,
        formatTime(each.created),
        cli.say(formatSize(each.size)),
        each.location === 'Local' ? 'Vigie' : cli.say({ fr: 'site', en: 'site' }),
      ]),
    );
  return exitCodes.done;
}

/** Vigie's own copy of an archive of the site, whose sum binds the restore to it. Other sites may have one of that name. */
async function findLocal(cli: Cli, site: SiteItem, filename: string): Promise<LocalBackup> {
  const { items } = await cli.api.call(listLocalBackups, { id: site.id, filename });
  const found = items.find((each) => each.site_id === site.id);
  if (found) return found;
  throw usage(
    `Vigie n’a pas de copie de ${filename} pour ${site.name}.`,
    `Vigie has no copy of ${filename} for ${site.name}.`,
  );
}

async function findRemote(cli: Cli, site: SiteItem, filename: string): Promise<Backup> {
  const backups = await cli.api.call(listBackups, { id: site.id });
  const found = backups.find((each) => each.filename === filename && each.location === 'Distant');
  if (found) return found;
  const isLocal = backups.some((each) => each.filename === filename);
  throw new Failure('usage', {
    fr: `${site.name} n’a pas d’archive ${filename}${isLocal ? '\u00a0: ajoutez --local, Vigie en a une copie' : ''}.`,
    en: `${site.name} has no archive ${filename}${isLocal ? ': add --local, Vigie has a copy' : ''}.`,
  });
}

/** The name of an archive does not say enough: another one may have it. */
function questionOf({ name, url }: SiteItem, { filename, created, size }: Backup | LocalBackup): Words {
  const [date, { fr, en }] = [formatTime(created), formatSize(size)];
  return {
    fr: `Restaurer ${name} (${url}) depuis ${filename} (${date}, ${fr})\u202f? Une sauvegarde de sécurité est faite avant.`,
    en: `Restore ${name} (${url}) from ${filename} (${date}, ${en})? A safety backup is made first.`,
  };
}

export async function restore(cli: Cli): Promise<number> {
  const [word = '', filename = ''] = cli.given.parameters;
  const mode = cli.oneOf('mode', RestoreMode.options);
  const scope = cli.oneOf('scope', RestoreScope.options);
  const path = cli.value('path');
  const site = await findSite(cli, word);
  const local = cli.has('local') ? await findLocal(cli, site, filename) : undefined;
  const archive = local ?? (await findRemote(cli, site, filename));
  if (!(await cli.confirm(questionOf(site, archive)))) return exitCodes.refused;
  const ticket = await cli.api.call(restoreBackup, {
    id: site.id,
    filename,
    confirm: restoreWord,
    ...(local && { location: 'local' as const, expected_sha256: local.sha256 }),
    ...(mode && { mode }),
    ...(scope && { scope }),
    ...(path !== undefined && { path }),
  });
  return seeThrough(cli, ticket);
}
