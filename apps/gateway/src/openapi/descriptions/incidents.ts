import type { Descriptions } from './description';

const cannotAct = { forbidden: 'L’incident touche aussi ce que d’autres possèdent, ou votre rôle ne le permet pas.' };

export const incidents: Descriptions = {
  'sites.incidents.list': {
    summary: 'Lister les incidents',
    description:
      'Ceux qui durent d’abord, puis du plus récent au plus ancien. Un serveur qui tombe est un seul incident, avec ses sites.',
  },
  'sites.incidents.read': {
    summary: 'Lire un incident',
    description: 'Ce qu’il touche et son déroulé. Le nom de ce qui n’est pas partagé n’y figure pas.',
  },
  'sites.incidents.acknowledge': {
    summary: 'Dire que l’on s’en occupe',
    description: 'Une seconde fois ne change rien.',
    errors: cannotAct,
  },
  'sites.incidents.mute': {
    summary: 'Mettre un incident en sourdine',
    description: 'Pour tant de minutes\u202f; 0 y met fin.',
    errors: cannotAct,
    request: { minutes: 60 },
  },
  'sites.incidents.comment': {
    summary: 'Commenter un incident',
    errors: cannotAct,
    request: { text: 'Disque plein\u00a0: je vide les journaux.' },
  },
  'sites.incidents.resolve': {
    summary: 'Clore un incident',
    description: 'Il se rouvre si ce qu’il touche échoue encore.',
    errors: cannotAct,
  },
  'sites.uptime.read': {
    summary: 'Lire la disponibilité d’un site',
    description: 'Par heures pour un jour ou une semaine, par jours (UTC) au-delà.',
  },
  'sites.uptime.heartbeats': { summary: 'Lire les dernières visites de plusieurs sites' },
  'sites.site-check-rules.read': {
    summary: 'Lire ce qu’un site doit montrer',
    description: 'Et si la dernière visite l’a vu.',
  },
  'sites.site-check-rules.save': {
    summary: 'Dire ce qu’un site doit montrer',
    description:
      'Après trois visites qui voient autre chose, un incident s’ouvre. Le texte est cherché dans les 512 premiers Ko de la page. Sans texte ni adresse, rien n’est attendu, et un incident ouvert est clos.',
    request: { expected_text: 'Bienvenue à bord', redirects_to: null },
  },
  'sites.maintenance-windows.list': {
    summary: 'Lister les maintenances',
    description:
      'Celles qui ne sont pas finies. Celles d’un site ou d’un groupe comprennent celles des groupes du dessus.',
  },
  'sites.maintenance-windows.create': {
    summary: 'Prévoir une maintenance',
    description:
      'Pour un site, ou pour un groupe avec ses sous-groupes\u00a0: une fois, ou chaque semaine. Pendant qu’elle dure, les échecs des visites n’ouvrent pas d’incident et ne baissent pas la disponibilité.',
    request: { site_id: '01932c07-1b20-7c22-9b5f-7a2c3d4e5f60', ends_at: '2026-12-02T01:00:00.000Z' },
  },
  'sites.maintenance-windows.delete': {
    summary: 'Terminer une maintenance',
    description: 'Tout de suite, et pour les semaines à venir.',
  },
};
