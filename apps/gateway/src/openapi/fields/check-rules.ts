import type { Fields } from '../glossary';

const moment = '2026-12-01T22:00:00.000Z';
const end = '2026-12-02T01:00:00.000Z';

/** What sites must show, how often they are visited, and their maintenance. */
export const checkRuleFields: Fields = {
  expected_text: ['Le texte que la page doit contenir, majuscules comprises\u202f; null sans.', 'Bienvenue à bord'],
  redirects_to: ['L’adresse où la visite doit finir, sans tenir compte de ce qui suit un `?`\u202f; null sans.', null],
  'SiteCheckRules.found': [
    'Ce que la dernière visite a trouvé\u202f; null avant la première avec ces attentes, ou quand la page n’a pas pu être lue.',
    'as_expected',
  ],
  visit_minutes: [
    'Toutes les combien de minutes ses sites sont visités\u00a0: 1, 2, 5, 15 ou 60\u202f; null pour suivre le groupe du dessus, ou l’installation.',
    5,
  ],
  maintenance_until: ['La fin de la maintenance en cours\u202f; null s’il n’y en a pas.', null],
  'MaintenanceWindow.target_name': [
    'Le nom du site ou du groupe\u202f; null s’il n’est pas partagé.',
    'Boutique Martin',
  ],
  'MaintenanceWindow.starts_at': ['Le début, si elle n’a lieu qu’une fois.', moment],
  'MaintenanceWindow.ends_at': ['La fin, si elle n’a lieu qu’une fois.', end],
  'CreateMaintenanceWindow.starts_at': ['Le début\u202f; maintenant, s’il est absent.', moment],
  'CreateMaintenanceWindow.ends_at': ['La fin, 30 jours après le début au plus.', end],
  weekdays: ['Les jours de chaque semaine, de 1 (lundi) à 7 (dimanche).', null],
  'MaintenanceWindow.at': ['L’heure du début, ces jours-là.', null],
  'CreateMaintenanceWindow.at': ['L’heure du début, ces jours-là.', '03:00'],
  'MaintenanceWindow.minutes': ['Sa durée en minutes, si elle a lieu chaque semaine.', null],
  'MaintenanceWindow.time_zone': ['Le fuseau horaire de cette heure.', null],
  note: ['Une note\u202f; null sans.', 'Déménagement vers web-04'],
  created_by: ['Qui l’a prévue.', 'Camille Martin'],
  running_until: ['Quand elle finit, si elle est en cours.', null],
  'MaintenanceWindow.next_at': ['Quand elle commence, ou recommence\u202f; null si c’était la dernière fois.', moment],
  can_delete: ['Si l’appelant peut y mettre fin.', true],
};
