import type { Item, ItemKind, Plan, PlanLine } from '@vigie/contracts/changes';
import { healthThresholds } from '@vigie/contracts/server-health';
import { fitInMessage } from '@vigie/service-kit/messages';
import type { EntityManager } from 'typeorm';
import type { Ground, Grounds } from '../sites/grounds';
import { findOpenChanges, isChanging, openAt, type OpenChanges } from './open-changes';
import { type Order, updateOf } from './orders';
import { findWaiting } from './wares';

const maxLines = 2_000;
/** Of the lines of a plan: a message on the bus carries a megabyte, with what is around them. */
const maxBytes = 800_000;
const longestWarning = 200;
/** WordPress itself asks twice a day. */
const newMs = 86_400_000;

/** From what is known: nobody is asked. */
export async function planOfUpdates(
  manager: EntityManager,
  grounds: Grounds,
  items: readonly Item[] | undefined,
): Promise<Plan> {
  const { wares, total } = await findWaiting(manager, [...grounds.keys()], { items, limit: maxLines });
  const opens = await findOpenChanges(manager, [...grounds.keys()]);
  const lines = wares.flatMap((ware) => {
    const ground = grounds.get(ware.site_id);
    return ground ? lineOf(ground, updateOf(ground, ware, ware), opens, ware.file) : [];
  });
  return planWith(lines, total, grounds);
}

export async function planOfInstalls(
  manager: EntityManager,
  orders: readonly Order[],
  grounds: Grounds,
): Promise<Plan> {
  const opens = await findOpenChanges(manager, [...grounds.keys()]);
  const lines = orders.flatMap((order) => {
    const ground = grounds.get(order.on.id);
    return ground ? lineOf(ground, order, opens, null) : [];
  });
  const byName = new Intl.Collator('fr');
  return planWith(
    lines.toSorted((one, other) => byName.compare(one.site_name, other.site_name)),
    lines.length,
    grounds,
  );
}

function planWith(lines: readonly PlanLine[], total: number, grounds: Grounds): Plan {
  const disks = disksOf(grounds);
  const notes = notesOf(lines);
  const items = fitInMessage(lines, maxBytes - Buffer.byteLength(JSON.stringify({ disks, notes })));
  return { items, disks, notes, left_out: total - items.length };
}

function lineOf(ground: Ground, order: Order, opens: OpenChanges, file: string | null): PlanLine {
  const { item, from, to } = order.input;
  const open = openAt(opens, order);
  const refusal = open ? isChanging(order) : order.refusal;
  return {
    site_id: ground.site.id,
    site_name: ground.site.name,
    ...item,
    from,
    to,
    command: commandOf(order, ground, file),
    warnings: warningsOf(ground, item.kind, order.kind === 'changes.update').map((text) =>
      text.length > longestWarning ? `${text.slice(0, longestWarning - 1)}…` : text,
    ),
    refusal: refusal?.message ?? null,
  };
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

function commandOf({ kind, input }: Order, { site }: Ground, file: string | null): string {
  const { item, to } = input;
  const upgrader = item.kind === 'theme' ? 'Theme_Upgrader' : 'Plugin_Upgrader';
  const where = site.path === null ? '' : ` dans ${site.path}`;
  if (kind === 'changes.install') {
    return `${upgrader}->install(${quoted(input.package?.filename ?? '')}, ['overwrite_package' => true])${where}`;
  }
  if (item.kind === 'core') return `Core_Upgrader->upgrade(${quoted(to ?? '')}), puis wp_upgrade()${where}`;
  return `${upgrader}->bulk_upgrade([${quoted(file ?? item.slug)}])${where}`;
}

const checkOf = { core: 'core', plugin: 'plugins', theme: 'themes' } as const satisfies Record<ItemKind, string>;

function warningsOf(ground: Ground, kind: ItemKind, isUpdate: boolean): string[] {
  const { site, facts } = ground;
  const warnings = [...healthWarnings(ground), ...(isUpdate ? checkWarnings(ground, kind) : [])];
  if (site.readAt === null) warnings.push('Ce site n’a pas encore été lu\u00a0: ce qui s’y trouve n’est pas connu.');
  if (facts?.is_multisite) warnings.push('C’est un réseau de sites (multisite)\u00a0: tous ses sites sont concernés.');
  if (kind === 'core') warnings.push(coreWarning(facts));
  return warnings;
}

/** What comes back of a site where WordPress itself was updated, and at what price. */
const coreWarning = (facts: Ground['facts']) =>
  facts?.database?.kind === 'sqlite'
    ? 'Ce site garde ses données dans SQLite\u00a0: le retour arrière remet les fichiers de WordPress, pas sa base de données.'
    : 'Le retour arrière remet aussi la base de données\u00a0: ce qui est écrit sur le site depuis la mise à jour (articles, commentaires, commandes) disparaît avec elle.';

/** What was so before is not blamed on the change. */
function healthWarnings({ site: { problem, sshError, http } }: Ground): string[] {
  const warnings = [];
  if (problem) warnings.push(`Ce site est déjà en panne\u00a0: ${problem.message}`);
  if (sshError !== null) warnings.push(`La dernière connexion a échoué\u00a0: ${sshError}`);
  if (http?.code === 0)
    warnings.push(`Ce site ne répond déjà pas à ses visiteurs\u00a0: ${http.error ?? 'sans raison'}`);
  else if (http && http.code >= 400) warnings.push(`Ce site répond déjà par une erreur ${http.code} à ses visiteurs.`);
  return warnings;
}

function checkWarnings({ facts }: Ground, kind: ItemKind): string[] {
  const check = facts?.checks[checkOf[kind]];
  if (!check) return [];
  if (check.error !== null) return [`La dernière recherche de mises à jour a échoué\u00a0: ${check.error}`];
  if (check.checked_at !== null && Date.now() - Date.parse(check.checked_at) < newMs) return [];
  return ['La dernière recherche de mises à jour a plus de 24\u00a0heures\u00a0: la version proposée a pu changer.'];
}

function disksOf(grounds: Grounds): Plan['disks'] {
  const servers = new Map(
    [...grounds.values()].flatMap(({ server }) => (server ? [[server.id, server] as const] : [])),
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

function notesOf(lines: readonly PlanLine[]): string[] {
  if (lines.length === 0) return [];
  const notes = [
    'Chaque élément est mis de côté sur le serveur de son site avant d’être changé\u00a0: sa version précédente y est gardée 7\u00a0jours.',
    'Chaque site est regardé avant et après. S’il se porte moins bien, l’élément en cause est remis comme il était, et le reste continue.',
  ];
  if (lines.some(({ kind }) => kind === 'core')) {
    notes.push(
      'Pour WordPress lui-même, la base de données est mise de côté avec les fichiers, et revient avec eux\u00a0: ce qui est écrit sur le site depuis la mise à jour disparaît alors. Un site sur SQLite ne retrouve que ses fichiers\u00a0: sauvegardez-le avant.',
    );
  }
  return notes;
}
