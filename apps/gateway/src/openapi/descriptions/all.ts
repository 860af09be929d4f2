import { sessions, settings, sharing, tokens, users } from './accounts';
import { backups } from './backups';
import { channels } from './channels';
import type { Tag } from './description';
import { cloudflareAccess, dnsHistory, dnsRecords, dnsZones } from './dns';
import { consoles, dashboard, jobs, servers } from './fleet';
import { incidents } from './incidents';
import { passkeys } from './passkeys';
import { statusPages } from './status-pages';
import { batches, changes, groups, plugins, proposals, sites, uploads } from './sites';

const tag = (name: string, title: string, about: string, descriptions: Tag['descriptions']): Tag => ({
  name,
  title,
  about,
  descriptions,
});

/** The features in the order of the reference, with the descriptions of their routes. */
export const tags: readonly Tag[] = [
  tag('sites', 'Sites', 'Les sites, leur état, leurs vues, leur import et leur export.', sites),
  tag('groups', 'Groupes', 'Les groupes de sites et de serveurs.', groups),
  tag('batches', 'Actions et réparations', 'Ce qui se fait sur plusieurs sites, ou sur un site cassé.', batches),
  tag('changes', 'Mises à jour et installations', 'Les plans, puis les changements des sites.', changes),
  tag('plugins', 'Plugins', 'Les plugins de tous les sites.', plugins),
  tag('uploads', 'Archives', 'Vos propres plugins et thèmes.', uploads),
  tag('backups', 'Sauvegardes', 'Les archives des sites, sur leurs hôtes et dans Vigie.', backups),
  tag('servers', 'Serveurs', 'Les serveurs et leur santé.', servers),
  tag('consoles', 'Consoles', 'Les shells ouverts dans un navigateur.', consoles),
  tag('incidents', 'Incidents et disponibilité', 'Ce qui ne va pas, et combien chaque site répond.', incidents),
  tag('status-pages', 'Pages publiques', 'L’état des sites d’un groupe, pour qui a le lien.', statusPages),
  tag('channels', 'Canaux d’alerte', 'Où partent les alertes, et ce qui est parti.', channels),
  tag('assistants', 'Assistants', 'Le protocole MCP, et ce que les assistants proposent.', proposals),
  tag('jobs', 'Tâches', 'Le travail en cours et passé.', jobs),
  tag('dashboard', 'Tableau de bord', 'Le parc d’un coup d’œil, l’activité et la recherche.', dashboard),
  tag('dns-zones', 'Zones DNS', 'Les zones chez Cloudflare et les sites auxquels elles sont liées.', dnsZones),
  tag('dns-records', 'Enregistrements DNS', 'Les enregistrements d’une zone.', dnsRecords),
  tag('dns-history', 'Historique DNS', 'Les états passés d’une zone.', dnsHistory),
  tag('cloudflare', 'Accès à Cloudflare', 'Les accès de chacun à Cloudflare.', cloudflareAccess),
  tag('sharing', 'Partages et équipes', 'Qui peut faire quoi, et à qui appartient quoi.', sharing),
  tag('sessions', 'Session et profil', 'Sa session, son mot de passe, sa double authentification.', sessions),
  tag('passkeys', 'Clés d’accès', 'Se connecter par une empreinte, un visage ou une clé USB.', passkeys),
  tag('tokens', 'Jetons', 'Les accès de vos programmes.', tokens),
  tag('users', 'Utilisateurs', 'Les comptes.', users),
  tag('settings', 'Réglages', 'L’installation et ses mails.', settings),
  tag('system', 'Système', 'La santé de Vigie et ce document.', {}),
];
