import { shownDays } from '@vigie/contracts/status-pages';
import type { Fields } from '../glossary';

const title: Fields[string] = ['Le titre que lisent les visiteurs.', 'Les sites de la Maison Martin'];
const newSecret: Fields[string] = [
  'La fin de l’adresse, montrée dans cette seule réponse\u202f; null si la page existait déjà.',
  'bX1nV0tq8Yw2J5cRk7LmPz3sT6uA9eGhKdFiQoWxC4E',
];
const days = Array.from({ length: shownDays }, (_, at) => (at === 12 ? 98.4 : 100));

/** What public pages of groups say. */
export const statusPageFields: Fields = {
  shows_incidents: ['Si la page liste les pannes.', true],
  page: ['La page publique\u202f; null si le groupe n’en a pas.'],
  is_cut: ['Si Vigie est coupée du réseau\u00a0: elle ne sait alors rien.', false],
  outages: ['Les pannes, d’abord celles qui durent\u202f; null si la page n’en montre pas.'],
  'StatusPage.title': title,
  'StatusPage.created_by': ['Qui l’a publiée.', 'Anne Le Goff'],
  'sites.status_pages.save:title': title,
  'sites.status_pages.save:secret': newSecret,
  'sites.status_pages.renew:secret': newSecret,
  'sites.status_pages.view:secret': ['La fin de l’adresse.', newSecret[1]],
  'PublicStatus.title': title,
  'PublicStatus.state': ['Le pire de ce qui est connu.', 'up'],
  'PublicStatus.generated_at': ['Quand Vigie l’a calculée.', '2026-11-29T14:05:00.000Z'],
  'PublicStatus.counts': ['Combien de sites sont dans chaque état, ceux qui ne sont pas montrés compris.'],
  'PublicStatus.counts.up': ['Combien de sites répondent.', 12],
  'PublicStatus.counts.down': ['Combien de sites ne répondent pas.', 0],
  'PublicStatus.counts.maintenance': ['Sur combien de sites Vigie travaille.', 0],
  'PublicStatus.counts.unknown': ['De combien de sites Vigie ne sait rien.', 0],
  'PublicStatus.sites': ['Les sites, par leur nom.'],
  'PublicStatus.sites.name': ['Le nom d’hôte de son adresse.', 'boutique.fr'],
  'PublicStatus.sites.state': [
    '`maintenance`\u00a0: il est en travaux\u202f; `unknown`\u00a0: Vigie n’en sait rien.',
    'up',
  ],
  'PublicStatus.sites.uptime': ['Le taux de disponibilité, en pour cent\u202f; null sans visite.'],
  'PublicStatus.sites.uptime.day': ['Sur 24 h.', 100],
  'PublicStatus.sites.uptime.month': ['Sur 30 jours.', 99.98],
  'PublicStatus.sites.uptime.quarter': ['Sur 90 jours.', 99.95],
  'PublicStatus.sites.days': [
    'De chaque jour UTC, aujourd’hui en dernier, en pour cent\u202f; null sans visite.',
    days,
  ],
  'PublicStatus.outages.sites': ['Les sites touchés, par leurs noms d’hôte.', ['boutique.fr']],
  'PublicStatus.outages.from': ['Le premier échec.', '2026-11-28T14:05:00.000Z'],
  'PublicStatus.outages.to': ['La fin\u202f; null si elle dure.', '2026-11-28T14:17:00.000Z'],
};
