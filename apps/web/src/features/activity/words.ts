import type { ActivityItem, ActivityType } from '@vigie/contracts/activity';
import type { Tone } from '../../ui/Status';

/** What somebody did, after the name. */
const deeds: Record<ActivityType, string> = {
  core_update: 'a mis WordPress à jour',
  plugin_update: 'a mis à jour le plugin',
  theme_update: 'a mis à jour le thème',
  plugin_install: 'a installé le plugin',
  theme_install: 'a installé le thème',
  plugin_activate: 'a activé le plugin',
  plugin_deactivate: 'a désactivé le plugin',
  theme_activate: 'a activé le thème',
  backup_create: 'a fait une sauvegarde',
  backup_restore: 'a restauré une sauvegarde',
  backup_delete: 'a supprimé une sauvegarde',
  backup_import: 'a importé une sauvegarde',
  backup_upload: 'a téléversé une sauvegarde',
  backup_download: 'a téléchargé une sauvegarde',
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
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The site or server itself was changed, not something on it. */
const isAboutPlace = (type: ActivityType) => /^(?:site|server)_/.test(type);

export type Deed = { actor: string; deed: string; target: string; more: string };

/** The sentence of a line, in the parts that are set apart. */
export function deedOf({ type, actor_name: actor, site_name, server_name, details }: ActivityItem): Deed {
  const name = textOf(details['name']) || textOf(details['slug']);
  const [from, to] = [textOf(details['from']), textOf(details['to'])];
  const place = site_name ?? server_name ?? '';
  const isOfAnother = type === '2fa_disable' && name !== '';
  return {
    actor: actor ?? 'La console',
    deed: isOfAnother ? 'a réinitialisé la 2FA de' : deeds[type],
    target: name || (isAboutPlace(type) ? place : ''),
    more: [from && to && `${from} → ${to}`, place && !isAboutPlace(type) && `sur ${place}`].filter(Boolean).join(' '),
  };
}

/** The badge says the kind, for the eye that runs down the list. */
export function badgeOf(type: ActivityType): { tone: Tone; word: string } {
  if (type.includes('update')) return { tone: 'info', word: 'Mise à jour' };
  if (type.includes('delete')) return { tone: 'danger', word: 'Suppression' };
  if (type.includes('install')) return { tone: 'ok', word: 'Installation' };
  if (type === 'plugin_activate') return { tone: 'ok', word: 'Activation' };
  if (type === 'plugin_deactivate') return { tone: 'neutral', word: 'Désactivation' };
  return { tone: 'neutral', word: kindOf(type) };
}

function kindOf(type: ActivityType): string {
  if (type === 'login') return 'Connexion';
  if (type.startsWith('2fa') || type === 'password_change') return 'Sécurité';
  if (type === 'settings_edit') return 'Paramètres';
  if (type.endsWith('_create') || type.endsWith('_upload') || type.endsWith('_import')) return 'Ajout';
  if (type.endsWith('_edit') || type.endsWith('link')) return 'Modification';
  return 'Action';
}
