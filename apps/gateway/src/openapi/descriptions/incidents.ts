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
};
