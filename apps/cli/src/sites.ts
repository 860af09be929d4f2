import {
  listSites,
  readSite,
  type SiteItem,
  type Site,
  testSite,
  testSites,
  type SiteStatus,
} from '@vigie/contracts/sites';
import type { Cli } from './cli';
import { exitCodes, usage } from './failures';
import { seeThrough } from './follow';
import type { Words } from './language';
import { findGroup, findServer, findSite, findSites } from './names';
import { formatTime } from './times';

const statusWords: Readonly<Record<SiteStatus, Words>> = {
  ok: { fr: 'OK', en: 'OK' },
  warning: { fr: 'Attention', en: 'Warning' },
  error: { fr: 'Erreur', en: 'Error' },
  unknown: { fr: 'N/A', en: 'N/A' },
};

const updatesOf = ({ updates }: SiteItem): number | null => updates && updates.core + updates.plugins + updates.themes;

export async function list(cli: Cli): Promise<number> {
  const [group, server] = [cli.value('group'), cli.value('server')];
  const { data, raw } = await cli.api.answer(listSites, {
    q: cli.given.parameters.join(' '),
    ...(group !== undefined && { group_id: (await findGroup(cli, group)).id }),
    ...(server !== undefined && { server_id: (await findServer(cli, server)).id }),
  });
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.tableById(
      [
        'ID',
        cli.say({ fr: 'NOM', en: 'NAME' }),
        cli.say({ fr: 'ADRESSE', en: 'ADDRESS' }),
        cli.say({ fr: 'STATUT', en: 'STATUS' }),
        'WORDPRESS',
        'PHP',
        cli.say({ fr: 'MÀJ', en: 'UPDATES' }),
        cli.say({ fr: 'SAUVEGARDE', en: 'BACKUP' }),
      ],
      data.items.map((site) => [
        site.id,
        site.name,
        site.url,
        cli.say(statusWords[site.status]),
        site.wpCore.version,
        site.php_version,
        updatesOf(site),
        formatTime(site.last_backup_at),
      ]),
    );
  if (data.items.length === 0) cli.note({ fr: 'Aucun site.', en: 'No sites.' });
  return exitCodes.done;
}

function describe(cli: Cli, site: Site): void {
  const lines: readonly (readonly [Words, string | null])[] = [
    [{ fr: 'Nom', en: 'Name' }, site.name],
    [{ fr: 'Identifiant', en: 'Id' }, site.id],
    [{ fr: 'Adresse', en: 'Address' }, site.url],
    [{ fr: 'Statut', en: 'Status' }, [cli.say(statusWords[site.status]), ...site.status_reasons].join(' · ')],
    [{ fr: 'Réponse HTTP', en: 'HTTP answer' }, site.http && String(site.http.code)],
    [{ fr: 'WordPress', en: 'WordPress' }, site.wpCore.version],
    [{ fr: 'PHP', en: 'PHP' }, site.php_version],
    [{ fr: 'Serveur', en: 'Server' }, site.connection.ssh.server_name],
    [{ fr: 'Dossier', en: 'Folder' }, site.connection.ssh.wp_path],
    [{ fr: 'Sauvegardé', en: 'Backed up' }, formatTime(site.last_backup_at)],
  ];
  cli.output.table(
    ['', ''],
    lines.flatMap(([label, value]) => (value ? [[cli.say(label), value]] : [])),
  );
  const parts = [
    ...site.plugins.map((plugin) => ['plugin', plugin] as const),
    ...site.themes.map((theme) => ['theme', theme] as const),
  ];
  cli.output.line('');
  cli.output.table(
    ['TYPE', 'SLUG', 'VERSION', cli.say({ fr: 'MÀJ', en: 'UPDATE' }), cli.say({ fr: 'ÉTAT', en: 'STATE' })],
    parts.map(([kind, part]) => [kind, part.slug, part.version, part.new_version, part.status]),
  );
}

export async function show(cli: Cli): Promise<number> {
  const { id } = await findSite(cli, cli.given.parameters[0] ?? '');
  const { data, raw } = await cli.api.answer(readSite, { id });
  if (cli.isJson) cli.output.json(raw);
  else describe(cli, data);
  return exitCodes.done;
}

export async function test(cli: Cli): Promise<number> {
  const [only, ...others] = await findSites(cli);
  if (!only) throw usage('Aucun site.', 'No site.');
  const ids = [only, ...others].map(({ id }) => id);
  const ticket =
    others.length === 0 ? await cli.api.call(testSite, { id: only.id }) : await cli.api.call(testSites, { ids });
  return seeThrough(cli, ticket);
}
