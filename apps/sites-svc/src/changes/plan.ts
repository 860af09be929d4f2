import type { Item, ItemKind, Plan, PlannedChange } from '@vigie/contracts/changes';
import { healthThresholds } from '@vigie/contracts/server-state';
import { fitInMessage } from '@vigie/service-kit/messages';
import type { EntityManager } from 'typeorm';
import type { SiteContext, SiteContexts } from '../sites/site-contexts';
import { owns } from '../owners/owner-filter';
import { connectionWarning } from '../sites/failures';
import { refuseOpenChanges } from './open-changes';
import { type ChangeRequest, toUpdateRequest } from './change-requests';
import { findUpdatableItems } from '../items/installed-items';

const maxLines = 2_000;
/** A message on the bus carries one megabyte, the rest of the answer included. */
const maxBytes = 800_000;
const maxWarningLength = 200;
/** WordPress itself checks for updates twice a day. */
const freshCheckMs = 86_400_000;

/** Reads stored state only: no host is contacted. */
export async function planOfUpdates(
  manager: EntityManager,
  contexts: SiteContexts,
  items: readonly Item[] | undefined,
): Promise<Plan> {
  const { installedItems, total } = await findUpdatableItems(manager, [...contexts.keys()], { items, limit: maxLines });
  const requests = installedItems.flatMap((installedItem) => {
    const context = contexts.get(installedItem.site_id);
    return context ? { ...toUpdateRequest(context, installedItem, installedItem), file: installedItem.file } : [];
  });
  return toPlan(await toPlanLines(manager, requests, contexts), total, contexts);
}

export async function planOfInstalls(
  manager: EntityManager,
  requests: readonly ChangeRequest[],
  contexts: SiteContexts,
): Promise<Plan> {
  const lines = await toPlanLines(manager, requests, contexts);
  const byName = new Intl.Collator('fr');
  return toPlan(
    lines.toSorted((one, other) => byName.compare(one.site_name, other.site_name)),
    lines.length,
    contexts,
  );
}

function toPlan(lines: readonly PlannedChange[], total: number, contexts: SiteContexts): Plan {
  const disks = disksOf(contexts);
  const notes = notesOf(lines);
  const items = fitInMessage(lines, maxBytes - Buffer.byteLength(JSON.stringify({ disks, notes })));
  return { items, disks, notes, left_out: total - items.length };
}

/** With the main file of a plugin. */
type PlannedRequest = ChangeRequest & { file?: string | null };

async function toPlanLines(
  manager: EntityManager,
  requests: readonly PlannedRequest[],
  contexts: SiteContexts,
): Promise<PlannedChange[]> {
  return (await refuseOpenChanges(manager, requests)).flatMap((request) => {
    const context = contexts.get(request.target.id);
    return context ? toPlanLine(context, request) : [];
  });
}

function toPlanLine(context: SiteContext, request: PlannedRequest): PlannedChange {
  const { item, from, to } = request.input;
  return {
    site_id: context.site.id,
    site_name: context.site.name,
    ...item,
    from,
    to,
    command: commandOf(request, context),
    warnings: warningsOf(context, item.kind, request.kind === 'changes.update').map((text) =>
      text.length > maxWarningLength ? `${text.slice(0, maxWarningLength - 1)}…` : text,
    ),
    refusal: request.refusal?.message ?? null,
  };
}

const quotePhp = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

function commandOf({ kind, input, file }: PlannedRequest, { site }: SiteContext): string {
  const { item, to } = input;
  const upgrader = item.kind === 'theme' ? 'Theme_Upgrader' : 'Plugin_Upgrader';
  const location = site.path === null || !owns(site) ? '' : ` dans ${site.path}`;
  if (kind === 'changes.install') {
    return `${upgrader}->install(${quotePhp(input.package?.filename ?? '')}, ['overwrite_package' => true])${location}`;
  }
  if (item.kind === 'core') return `Core_Upgrader->upgrade(${quotePhp(to ?? '')}), puis wp_upgrade()${location}`;
  return `${upgrader}->bulk_upgrade([${quotePhp(file ?? item.slug)}])${location}`;
}

const checkNames = { core: 'core', plugin: 'plugins', theme: 'themes' } as const satisfies Record<ItemKind, string>;

function warningsOf(context: SiteContext, kind: ItemKind, isUpdate: boolean): string[] {
  const { site, state } = context;
  const warnings = [...healthWarnings(context), ...(isUpdate ? checkWarnings(context, kind) : [])];
  if (site.readAt === null) warnings.push('Ce site n’a pas encore été lu\u00a0: son contenu est inconnu.');
  if (state?.is_multisite) warnings.push('C’est un réseau de sites (multisite)\u00a0: tous ses sites sont concernés.');
  if (kind === 'core') warnings.push(coreWarning(state));
  return warnings;
}

const coreWarning = (state: SiteContext['state']) =>
  state?.database?.kind === 'sqlite'
    ? 'Ce site garde ses données dans SQLite\u00a0: le retour arrière remet les fichiers de WordPress, pas sa base de données.'
    : 'Le retour arrière rétablit aussi la base de données\u00a0: les articles, commentaires et commandes ajoutés depuis la mise à jour sont perdus.';

/** Warns of existing problems, so that nobody blames them on the change. */
function healthWarnings({ site }: SiteContext): string[] {
  const { problem, sshError, http } = site;
  const warnings = [];
  if (problem) warnings.push(`Ce site est déjà en panne\u00a0: ${problem.message}`);
  if (sshError !== null) warnings.push(connectionWarning(site));
  if (http?.code === 0)
    warnings.push(`Ce site ne répond déjà pas à ses visiteurs\u00a0: ${http.error ?? 'sans raison'}`);
  else if (http && http.code >= 400) warnings.push(`Ce site répond déjà par une erreur ${http.code} à ses visiteurs.`);
  return warnings;
}

function checkWarnings({ state }: SiteContext, kind: ItemKind): string[] {
  const check = state?.checks[checkNames[kind]];
  if (!check) return [];
  if (check.error !== null) return [`La dernière recherche de mises à jour a échoué\u00a0: ${check.error}`];
  if (check.checked_at !== null && Date.now() - Date.parse(check.checked_at) < freshCheckMs) return [];
  return ['La dernière recherche de mises à jour a plus de 24\u00a0heures\u00a0: la version proposée a pu changer.'];
}

function disksOf(contexts: SiteContexts): Plan['disks'] {
  const servers = new Map(
    [...contexts.values()].flatMap(({ server }) => (server && owns(server) ? [[server.id, server] as const] : [])),
  );
  const byName = new Intl.Collator('fr', { numeric: true });
  return [...servers.values()]
    .flatMap(({ name, vitals }) => {
      const percent = vitals?.disk_pct;
      if (typeof percent !== 'number') return [];
      const disk = `${percent}%:${vitals?.disk_mount ?? '/'}`;
      return { server_name: name, disk, is_nearly_full: percent >= healthThresholds.disk };
    })
    .toSorted((one, other) => byName.compare(one.server_name, other.server_name));
}

function notesOf(lines: readonly PlannedChange[]): string[] {
  if (lines.length === 0) return [];
  const notes = [
    'Chaque élément est mis de côté sur le serveur de son site avant d’être changé\u00a0: sa version précédente y est gardée 7\u00a0jours.',
    'Vigie contrôle chaque site avant et après. Si son état empire, l’élément en cause revient à sa version précédente, et le reste continue.',
  ];
  if (lines.some(({ kind }) => kind === 'core')) {
    notes.push(
      'Pour WordPress lui-même, la base de données est mise de côté avec les fichiers. Un retour arrière la rétablit aussi\u00a0: ce qui a été écrit sur le site depuis la mise à jour est perdu. Un site sur SQLite ne retrouve que ses fichiers\u00a0: sauvegardez-le avant.',
    );
  }
  return notes;
}
