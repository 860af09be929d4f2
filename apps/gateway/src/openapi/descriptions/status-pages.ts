import type { Descriptions } from './description';

const page = {
  title: 'Les sites de la Maison Martin',
  shows_incidents: true,
  created_at: '2026-11-29T09:30:00.000Z',
  created_by: 'Anne Le Goff',
};
const secret = 'bX1nV0tq8Yw2J5cRk7LmPz3sT6uA9eGhKdFiQoWxC4E';

export const statusPages: Descriptions = {
  'sites.status_pages.read': {
    summary: 'Lire la page publique d’un groupe',
    description:
      '`page` est null si le groupe n’en a pas. Son lien n’y est jamais\u00a0: Vigie n’en garde que l’empreinte.',
    answer: { page },
  },
  'sites.status_pages.save': {
    summary: 'Publier la page d’un groupe, ou la modifier',
    description:
      'La page vit à `/etat/{secret}`, pour qui a le lien\u202f; `secret` n’est que dans la réponse qui la publie. Elle montre les sites du groupe et de ses sous-groupes par leurs noms d’hôte. Le propriétaire du groupe seul la publie, ou un administrateur en mode administrateur.',
    request: { title: page.title, shows_incidents: true },
    answer: { page, secret },
  },
  'sites.status_pages.renew': {
    summary: 'Changer le lien d’une page publique',
    description: 'L’ancien lien ne marche plus, aussitôt.',
    answer: { page, secret },
  },
  'sites.status_pages.delete': {
    summary: 'Ne plus publier la page d’un groupe',
    description: 'Le lien ne marche plus, aussitôt.',
  },
  'sites.status_pages.view': {
    summary: 'Lire une page publique par son lien',
    description:
      'L’état de tous ses sites, et les 200 premiers par leur nom. Calculée deux fois par minute au plus. Ce dont Vigie n’est pas sûre ne compte jamais comme une panne.',
    errors: { not_found: 'Cette page n’existe pas ou n’est plus publiée.' },
  },
};
