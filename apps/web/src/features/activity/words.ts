import type { ActivityItem, ActivityKind, ActivityType } from '@vigie/contracts/activity';
import type { ProposedOrder } from '@vigie/contracts/proposed-order';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';
import { harmLabel } from '../../kit/job/words';
import { grantRoleLabel } from '../../kit/words/grant-roles';

/** Follows the name of the actor. */
const labels: Record<ActivityType, string> = {
  core_update: 'a mis WordPress à jour',
  plugin_update: 'a mis à jour le plugin',
  theme_update: 'a mis à jour le thème',
  plugin_install: 'a installé le plugin',
  theme_install: 'a installé le thème',
  plugin_activate: 'a activé le plugin',
  plugin_deactivate: 'a désactivé le plugin',
  theme_activate: 'a activé le thème',
  backup_create: 'a fait la sauvegarde',
  backup_restore: 'a restauré la sauvegarde',
  backup_delete: 'a supprimé la sauvegarde',
  backup_import: 'a importé la sauvegarde',
  backup_upload: 'a téléversé la sauvegarde',
  backup_download: 'a téléchargé la sauvegarde',
  site_create: 'a ajouté le site',
  site_edit: 'a modifié le site',
  site_delete: 'a supprimé le site',
  server_create: 'a ajouté le serveur',
  server_edit: 'a modifié le serveur',
  server_delete: 'a supprimé le serveur',
  group_create: 'a créé le groupe',
  group_edit: 'a modifié le groupe',
  group_delete: 'a supprimé le groupe',
  upload_create: 'a téléversé l’archive',
  upload_edit: 'a remplacé l’archive',
  upload_delete: 'a supprimé l’archive',
  user_create: 'a créé le compte de',
  user_edit: 'a modifié le compte de',
  user_delete: 'a supprimé le compte de',
  dns_record_create: 'a ajouté l’enregistrement DNS',
  dns_record_edit: 'a modifié l’enregistrement DNS',
  dns_record_delete: 'a supprimé l’enregistrement DNS',
  zone_create: 'a ajouté la zone',
  zone_edit: 'a modifié la zone',
  zone_delete: 'a supprimé la zone',
  zone_link: 'a lié à un site la zone',
  zone_unlink: 'a délié la zone',
  login: 'a ouvert une session',
  password_change: 'a changé son mot de passe',
  '2fa_enable': 'a activé sa 2FA',
  '2fa_disable': 'a désactivé sa 2FA',
  settings_edit: 'a modifié les paramètres',
  grant_create: 'a partagé',
  grant_edit: 'a partagé autrement',
  grant_delete: 'ne partage plus',
  owner_change: 'a confié',
  token_create: 'a créé le jeton',
  token_delete: 'a supprimé le jeton',
  passkey_create: 'a ajouté la clé d’accès',
  passkey_delete: 'a supprimé la clé d’accès',
  site_command: 'a lancé une commande',
  proposal_create: 'a proposé',
  proposal_confirm: 'a confirmé la proposition',
  proposal_reject: 'a refusé la proposition',
  proposal_refuse: 'n’a pas pu exécuter la proposition',
  status_page_create: 'a publié la page publique du groupe',
  status_page_edit: 'a modifié la page publique du groupe',
  status_page_renew: 'a changé le lien de la page publique du groupe',
  status_page_delete: 'ne publie plus la page du groupe',
};

/** Follows what somebody did with a proposal, before the sites that it is about. */
const proposedActions: Readonly<Record<ProposedOrder, string>> = {
  updates: 'de mettre à jour',
  backups: 'de sauvegarder',
  restore: 'de restaurer',
  rollback: 'de revenir à une version précédente sur',
  repair: 'de réparer',
};

const isProposal = (type: ActivityType) => type.startsWith('proposal_');

/** "a proposé de sauvegarder". */
function proposalText({ type, details }: Pick<ActivityItem, 'type' | 'details'>): string {
  const action = Object.entries(proposedActions).find(([order]) => order === details['order'])?.[1];
  return `${labels[type]} ${action ?? 'd’agir sur'}`;
}

/** The proposal that a line is about. */
export const proposalOf = ({ type, details }: Pick<ActivityItem, 'type' | 'details'>): string | null =>
  isProposal(type) ? textOf(details['proposal_id']) || null : null;

/** The infinitives of actions that can fail. */
const infinitives: Partial<Record<ActivityType, string>> = {
  core_update: 'mettre WordPress à jour',
  plugin_update: 'mettre à jour le plugin',
  theme_update: 'mettre à jour le thème',
  plugin_install: 'installer le plugin',
  theme_install: 'installer le thème',
  plugin_activate: 'activer le plugin',
  plugin_deactivate: 'désactiver le plugin',
  theme_activate: 'activer le thème',
  backup_create: 'faire la sauvegarde',
  backup_import: 'importer la sauvegarde',
  backup_restore: 'restaurer la sauvegarde',
  backup_download: 'télécharger la sauvegarde',
};

/** Manual rollbacks. */
const rollbackInfinitives: Partial<Record<ActivityType, string>> = {
  core_update: 'rétablir la version précédente de WordPress',
  plugin_update: 'rétablir la version précédente du plugin',
  theme_update: 'rétablir la version précédente du thème',
};

const endBadges: Readonly<Record<string, { tone: Tone; word: string }>> = {
  failed: { tone: 'danger', word: 'Échec' },
  unknown: { tone: 'warn', word: 'Issue inconnue' },
  cancelled: { tone: 'neutral', word: 'Annulée' },
};

/** Undefined when the action succeeded. */
export const endBadge = ({ details }: Pick<ActivityItem, 'details'>): { tone: Tone; word: string } | undefined =>
  harmLabel(details) ?? endBadges[textOf(details['state'])];

function actionText(type: ActivityType, details: ActivityItem['details']): string {
  if (isProposal(type)) return proposalText({ type, details });
  const isRollback = details['restored'] === true && rollbackInfinitives[type] !== undefined;
  const infinitive = isRollback ? rollbackInfinitives[type] : infinitives[type];
  const state = textOf(details['state']);
  if (infinitive !== undefined && state === 'failed') return `n’a pas pu ${infinitive}`;
  if (infinitive !== undefined && state === 'unknown') return `a voulu ${infinitive}`;
  if (infinitive !== undefined && state === 'cancelled') return `a renoncé à ${infinitive}`;
  return infinitive !== undefined && isRollback ? infinitive.replace('rétablir', 'a rétabli') : labels[type];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What belongs to somebody, or is shared with somebody: the sentence says which kind of thing it is. */
const isAboutAccess = (type: ActivityType) => type === 'owner_change' || type.startsWith('grant_');

/** True when the site or server itself was changed, shared, given away or the subject of a proposal, not something on it. */
const isAboutSiteOrServer = (type: ActivityType) =>
  type !== 'site_command' && /^(?:site|server|grant|owner|proposal)_/.test(type);

export type ActivitySentence = {
  actor: string;
  action: string;
  target: string;
  /** "5.1 → 5.3", "avec Paul (Lecture)", or "à Zoé (avant: Anne)". */
  complement: string;
  /** The site or server, unless it is the target itself. */
  location: string;
  reason: string;
};

const itemName = (details: ActivityItem['details']): string =>
  ['name', 'slug', 'filename'].map((key) => textOf(details[key])).find(Boolean) ?? '';

function versionsOf(details: ActivityItem['details']): string {
  const [from, to] = [textOf(details['from']), textOf(details['to'])];
  return from && to ? `${from} → ${to}` : '';
}

/** With whom it is shared, and with which role unless that has ended; or whose it is now. */
function accessComplement(type: ActivityType, details: ActivityItem['details']): string {
  if (type === 'owner_change') return `à ${textOf(details['to'])} (avant\u00a0: ${textOf(details['from'])})`;
  const role = grantRoleLabel(textOf(details['role']));
  return `avec ${textOf(details['to'])}${type !== 'grant_delete' && role ? ` (${role})` : ''}`;
}

/** Only the owner of the site is told by which token an assistant proposed it. */
const tokenComplement = (token: string): string => (token === '' ? '' : `avec le jeton «\u00a0${token}\u00a0»`);

function complementOf(type: ActivityType, details: ActivityItem['details']): string {
  // Only those who may run commands are told which one it was.
  if (type === 'site_command') return textOf(details['command']);
  if (type === 'proposal_create') return tokenComplement(textOf(details['token']));
  return isAboutAccess(type) ? accessComplement(type, details) : versionsOf(details);
}

/** The parts of a sentence, which the line styles differently. */
export function describeActivity({
  type,
  actor_name: actor,
  site_name,
  server_name,
  details,
}: ActivityItem): ActivitySentence {
  // The label of an update of WordPress already names it.
  const name = type === 'core_update' ? '' : itemName(details);
  const location = site_name ?? server_name ?? '';
  const isOtherUser = type === '2fa_disable' && name !== '';
  const kind = site_name !== null ? ' le site' : server_name !== null ? ' le serveur' : ' le groupe';
  return {
    actor: actor ?? 'La console',
    action: isOtherUser ? 'a réinitialisé la 2FA de' : actionText(type, details) + (isAboutAccess(type) ? kind : ''),
    target: name || (isAboutSiteOrServer(type) ? location : ''),
    complement: complementOf(type, details),
    location: isAboutSiteOrServer(type) ? '' : location,
    reason: endBadge({ details }) ? textOf(details['reason']) : '',
  };
}

type ActivityLocation = { siteId: string } | { serverId: string };

/** The site or server to link to, unless it was deleted, or belongs to somebody else than one of its readers. */
export function activityLocation({
  type,
  site_id: siteId,
  server_id: serverId,
}: ActivityItem): ActivityLocation | undefined {
  if (/^(?:site_delete|server_delete|owner_change)$/.test(type)) return undefined;
  if (siteId !== null) return { siteId };
  return serverId === null ? undefined : { serverId };
}

const batchNouns: readonly [match: RegExp, one: string, many: string][] = [
  [/_update$/, 'mise à jour', 'mises à jour'],
  [/_install$/, 'installation', 'installations'],
  [/_deactivate$/, 'désactivation', 'désactivations'],
  [/_activate$/, 'activation', 'activations'],
  [/^backup_create$/, 'sauvegarde', 'sauvegardes'],
  [/^backup_restore$/, 'restauration', 'restaurations'],
];

/** "a lancé 12 mises à jour sur 5 sites". */
export function describeBatch({ type, run, details }: Pick<ActivityItem, 'type' | 'run' | 'details'>): string {
  const { lines = 0, sites = 0 } = run ?? {};
  if (isProposal(type)) return `${proposalText({ type, details })} ${plural(sites, 'site', 'sites')}`;
  const [, one, many] = batchNouns.find(([match]) => match.test(type)) ?? ['', 'opération', 'opérations'];
  return `a lancé ${plural(lines, one, many)}${sites > 0 ? ` sur ${plural(sites, 'site', 'sites')}` : ''}`;
}

export const kindLabels: Readonly<Record<ActivityKind, string>> = {
  updates: 'Mises à jour',
  installs: 'Installations et activations',
  backups: 'Sauvegardes',
  sites: 'Sites et groupes',
  servers: 'Serveurs',
  uploads: 'Archives',
  dns: 'DNS',
  accounts: 'Comptes et connexions',
  proposals: 'Propositions',
};

export type BadgeWord =
  | 'Mise à jour'
  | 'Suppression'
  | 'Installation'
  | 'Activation'
  | 'Désactivation'
  | 'Connexion'
  | 'Sécurité'
  | 'Paramètres'
  | 'Ajout'
  | 'Modification'
  | 'Proposition'
  | 'Action';

export function activityBadge(type: ActivityType): { tone: Tone; word: BadgeWord } {
  if (type.includes('update')) return { tone: 'info', word: 'Mise à jour' };
  if (type.includes('delete')) return { tone: 'danger', word: 'Suppression' };
  if (type.includes('install')) return { tone: 'ok', word: 'Installation' };
  if (type === 'plugin_activate') return { tone: 'ok', word: 'Activation' };
  if (type === 'plugin_deactivate') return { tone: 'neutral', word: 'Désactivation' };
  return { tone: 'neutral', word: neutralBadgeWord(type) };
}

function neutralBadgeWord(type: ActivityType): BadgeWord {
  if (isProposal(type)) return 'Proposition';
  if (type === 'login') return 'Connexion';
  if (type.startsWith('2fa') || type === 'password_change') return 'Sécurité';
  if (type === 'settings_edit') return 'Paramètres';
  if (type.endsWith('_create') || type.endsWith('_upload') || type.endsWith('_import')) return 'Ajout';
  if (type.endsWith('_edit') || type.endsWith('link')) return 'Modification';
  return 'Action';
}
