import type { Fields } from '../glossary';

const moment = '2026-11-29T03:12:00.000Z';
const later = '2026-11-29T03:41:00.000Z';
const subjectKinds = '`vigie`\u00a0: Vigie elle-même.';
const states = 'Où il en est.';
const kinds =
  '`outage`\u00a0: les visiteurs n’ont pas de réponse, ou une erreur. `certificate`\u00a0: il expire bientôt. `network`\u00a0: Vigie elle-même est coupée.';

/** What incidents and the uptime of sites say. */
export const incidentFields: Fields = {
  evidence: ['Ce que la visite a trouvé\u202f; null si rien n’est à citer.'],
  verdict: ['Si le site répond à son propre serveur\u202f; null tant qu’il n’a pas été interrogé.', 'answers_there'],
  opinion: ['Ce qu’un serveur répond à la même adresse\u202f; null si aucun n’a été interrogé.', null],
  cause: ['Le site ou le serveur qui en est la cause.'],
  is_server_down: ['Si le serveur lui-même ne répond pas.', false],
  failing: ['Combien de sites sont encore touchés.', 1],
  observed_at: ['Le premier échec.', moment],
  opened_at: ['L’échec de trop, qui a ouvert l’incident.', moment],
  resolved_at: ['Sa fin\u202f; null s’il dure.', null],
  resolution: [
    '`recovered`\u00a0: par de bonnes visites\u202f; `closed`\u00a0: par quelqu’un\u202f; `merged`\u00a0: dans celui du serveur\u202f; `removed`\u00a0: avec ce qu’il touchait.',
    null,
  ],
  acknowledged_at: ['Quand quelqu’un s’en est chargé.', null],
  acknowledged_by: ['Qui s’en est chargé.', null],
  muted_until: ['Jusqu’à quand il est en sourdine.', null],
  is_flapping: ['S’il va et vient\u00a0: il faut alors plus de bonnes visites pour y mettre fin.', false],
  reopenings: ['Combien de fois il s’est rouvert.', 0],
  subjects: ['Les sites et serveurs touchés, d’abord ceux qui le sont encore.'],
  events: ['Son déroulé, du plus ancien au plus récent.'],
  can_act: ['Si l’appelant peut s’en charger, le commenter et le clore.', true],
  minutes: ['Combien de minutes.', 60],
  beats: ['Les dernières visites, de la plus ancienne à la plus récente.'],
  uptime_day: ['La disponibilité des dernières 24 h, en pour cent.', 99.93],
  interval_seconds: ['Les secondes entre deux visites, d’ordinaire.', 60],
  downs: ['Combien de visites ont échoué.', 1],
  others: ['Combien de visites ne comptent pas.', 0],
  p50: ['La moitié des réponses ont pris ce temps ou moins, en millisecondes.', 180],
  p95: ['95 % des réponses ont pris ce temps ou moins, en millisecondes.', 420],
  'Incident.severity': ['La gravité.', 'critical'],
  'IncidentItem.severity': ['La gravité.', 'critical'],
  'Incident.cause.kind': [subjectKinds, 'site'],
  'IncidentItem.cause.kind': [subjectKinds, 'site'],
  'Incident.subjects.kind': [subjectKinds, 'site'],
  'Incident.events.kind': ['Ce qui s’est passé.', 'opened'],
  'Incident.events.text': ['Le commentaire.', null],
  'Incident.events.count': ['De combien de sites il s’agit, s’ils sont plusieurs.', null],
  'Incident.events.job': ['La tâche que Vigie a faite sur le site.', null],
  'Incident.events.job.kind': ['Le genre de la tâche.', 'changes.update'],
  'Incident.events.job.state': ['Son état.', 'succeeded'],
  'sites.incidents.comment:text': ['Le commentaire.', 'Disque plein\u00a0: je vide les journaux.'],
  'Evidence.reason': ['Pourquoi il n’y a pas de réponse, ou qui a signé le certificat.', null],
  'Evidence.ends_at': ['La fin du certificat.', null],
  'Opinion.own': ['Ce que répond son propre serveur.'],
  'Opinion.other': ['Ce que répond un autre serveur du propriétaire\u202f; null s’il n’a pas fallu.', null],
  'sites.uptime.read:points.ups': ['Combien de visites ont eu une réponse.', 59],
  'sites.uptime.read:beats.state': [
    '`excused`\u00a0: Vigie y travaillait\u202f; `unsure`\u00a0: Vigie était coupée du réseau.',
    'up',
  ],
  'Incident.kind': [kinds, 'outage'],
  'IncidentItem.kind': [kinds, 'outage'],
  'Incident.state': [states, 'open'],
  'IncidentItem.state': [states, 'open'],
  'sites.incidents.list:state': ['Où il en est.', 'open'],
  'sites.uptime.read:uptime': ['La disponibilité des dernières 24 h, 7, 30 et 90 jours, en pour cent.'],
  'sites.uptime.read:uptime.day': ['Les dernières 24 h\u202f; null sans visite.', 99.93],
  'sites.uptime.read:uptime.week': ['Les 7 derniers jours.', 99.98],
  'sites.uptime.read:uptime.month': ['Les 30 derniers jours.', 99.99],
  'sites.uptime.read:uptime.quarter': ['Les 90 derniers jours.', 99.97],
  'sites.uptime.read:days': ['Combien de jours.', '7'],
  'sites.uptime.read:from': ['Le début.', moment],
  'sites.uptime.read:to': ['La fin.', later],
  'sites.uptime.heartbeats:ids': [
    'Les identifiants des sites, séparés par des virgules.',
    '019dc4a4-7c1f-7b6e-9f3a-2f0d4c5b6a79',
  ],
};
