import type { Descriptions } from './description';

export const servers: Descriptions = {
  'sites.servers.list': { summary: 'Lister les serveurs', description: 'Ceux qui ne répondent pas d’abord.' },
  'sites.servers.read': { summary: 'Lire un serveur' },
  'sites.servers.create': {
    summary: 'Ajouter un serveur',
    description: 'Sans `auth`, Vigie crée une paire de clés. Une session seule peut donner un mot de passe ou une clé.',
    request: { name: 'web-03', host: 'web-03.exemple.fr', port: 22, user: 'deploy', type: 'prod', groups: [] },
  },
  'sites.servers.edit': {
    summary: 'Modifier un serveur',
    description: 'Un champ absent ou un secret vide ne change pas\u202f; `auth: null` retire le mot de passe.',
    errors: { conflict: 'Le serveur vient d’être modifié ailleurs.' },
    request: { name: 'web-03', provider: 'Hébergeur' },
  },
  'sites.servers.delete': {
    summary: 'Retirer un serveur de Vigie',
    description: 'Avec `force=1`, aussi un serveur dont des sites se servent\u00a0: ils en sont détachés.',
    errors: { conflict: 'Des sites s’en servent.' },
  },
  'sites.servers.pubkey': {
    summary: 'Lire la clé publique d’un serveur',
    description: 'La ligne à ajouter à `authorized_keys`.',
  },
  'sites.servers.test': {
    summary: 'Tester un serveur',
    description: 'Vérifie chaque étape de la connexion, et dit comment mener à bien celle qui échoue.',
  },
  'sites.servers.test_all': {
    summary: 'Tester plusieurs serveurs',
    description: 'Sans `ids`\u00a0: tous ceux que l’on voit.',
  },
  'sites.servers.status': { summary: 'Lire l’état d’un serveur' },
  'sites.servers.statuses': { summary: 'Lire l’état de plusieurs serveurs' },
  'sites.servers.trust': {
    summary: 'Accepter la clé d’un serveur',
    description: 'Celle que le serveur a présentée au dernier contact\u202f; une autre est refusée.',
    errors: { conflict: 'Le serveur a présenté une autre clé.' },
  },
  'sites.server-health.read': {
    summary: 'Lire la santé des serveurs',
    description: '`fresh=1` lance aussi de nouvelles mesures.',
  },
  'sites.server-health.history': { summary: 'Lire les mesures passées d’un serveur' },
};

export const consoles: Descriptions = {
  'sites.consoles.ticket': {
    summary: 'Demander un ticket de console sur un serveur',
    description: 'Il ouvre un seul WebSocket, dans les 30 secondes, à `/api/servers/{id}/ws`.',
    errors: { conflict: 'Aucune console ne peut s’ouvrir sur ce serveur.' },
  },
  'sites.consoles.ticketOfSite': {
    summary: 'Demander un ticket de console sur un site',
    description: 'Il ouvre un seul WebSocket, dans les 30 secondes, à `/api/sites/{id}/ws`.',
    errors: { conflict: 'Aucune console ne peut s’ouvrir sur ce site.' },
  },
  'sites.consoles.list': { summary: 'Lister ses consoles ouvertes' },
  'sites.consoles.end': { summary: 'Fermer une console', description: 'Le shell prend fin, sans retour.' },
};

export const jobs: Descriptions = {
  'sites.jobs.list': {
    summary: 'Lister les tâches',
    description: 'Les plus récentes d’abord\u202f; celles d’un lot avec `batch_id`.',
  },
  'sites.jobs.read': { summary: 'Lire une tâche', description: 'Avec les lignes de son journal qui suivent `after`.' },
  'sites.jobs.cancel': {
    summary: 'Annuler une tâche',
    description: 'Une tâche en attente s’annule aussitôt\u202f; une tâche en cours s’arrête dès qu’elle le peut.',
    errors: { conflict: 'Cette tâche est déjà terminée.' },
  },
  'sites.jobs.retry': {
    summary: 'Relancer une tâche',
    description: 'Crée une nouvelle tâche. D’un lot, relance ce qui a échoué.',
    errors: { conflict: 'La tâche n’est pas terminée, a réussi, ou a déjà été relancée.' },
  },
  'sites.jobs.acknowledge': {
    summary: 'Prendre note de tâches en échec',
    description: 'Elles n’attendent plus personne. Rien d’autre ne change.',
  },
};

export const dashboard: Descriptions = {
  'sites.dashboard.summary': { summary: 'Lire les chiffres du parc' },
  'sites.dashboard.todo': { summary: 'Lire ce qui demande quelqu’un', description: 'Le plus grave d’abord.' },
  'sites.dashboard.fleet': {
    summary: 'Lire le parc entier en une image',
    description:
      'Un tableau par champ, tous dans le même ordre\u202f; serveurs et groupes y sont nommés par leur rang.',
  },
  'sites.activity.list': {
    summary: 'Lire l’activité',
    description: 'La sienne\u202f; en mode administrateur, celle de tous.',
  },
  'sites.activity.choices': {
    summary: 'Lister les personnes et sites de l’activité',
    description: 'Pour ses filtres.',
  },
  'sites.search.find': {
    summary: 'Chercher dans tout le parc',
    description: 'Si une partie de Vigie est absente, `away` la nomme et l’autre répond.',
  },
};
