import type { Descriptions } from './description';

const tooMany = 'Trop de messages à la suite par ce canal\u00a0: attendez les secondes que dit `Retry-After`.';

const delivery = {
  id: '01932c07-2a00-7c3a-9f1e-5d7a6b0c4e21',
  channel: { id: '01932c07-8180-7288-91b5-d08293041526', kind: 'slack', name: 'Astreinte' },
  kind: 'opened',
  title: 'boutique.exemple.fr ne répond plus',
  incident_id: '01932c07-9290-7399-a2c6-e19304152637',
  state: 'queued',
  attempts: 0,
  status: null,
  answer: null,
  error: null,
  created_at: '2026-11-28T09:30:00.000Z',
  next_at: '2026-11-28T09:30:00.000Z',
  sent_at: null,
  resent_from: '01932c07-a3a0-74aa-b3d7-f2a415263748',
};
const failedTest = {
  ...delivery,
  kind: 'test',
  title: 'Message de test de Vigie',
  incident_id: null,
  state: 'failed',
  attempts: 1,
  status: 404,
  answer: 'no_service',
  error:
    'Slack ne connaît plus ce webhook, qui y a été supprimé\u00a0: créez-en un autre, et donnez son adresse à ce canal.',
  next_at: null,
  resent_from: null,
};

export const channels: Descriptions = {
  'sites.channels.list': {
    summary: 'Lister les canaux d’alerte',
    description:
      'Les siens\u202f; pour un administrateur, aussi ceux de l’installation. Une adresse n’y est que par son hôte, un secret jamais.',
  },
  'sites.channels.create': {
    summary: 'Créer un canal d’alerte',
    description:
      'Celui d’un administrateur est de l’installation. `url` pour un webhook, Slack, Discord, Teams, Google Chat ou ntfy\u202f; `secret` et `chat_id` pour Telegram\u202f; ni l’un ni l’autre pour les mails. Un webhook sans secret en reçoit un, montré dans cette seule réponse. `heartbeat` est un signe de vie, réservé aux administrateurs\u00a0: Vigie appelle son `url` chaque minute, par GET, tant que tout fonctionne\u202f; `min_severity` y est null.',
    errors: { conflict: 'Il y a déjà trop de canaux.' },
    request: {
      kind: 'slack',
      name: 'Astreinte',
      url: 'https://hooks.slack.com/services/T00/B00/exemple',
      min_severity: 'critical',
      quiet_from: '22:00',
      quiet_to: '07:00',
    },
  },
  'sites.channels.edit': {
    summary: 'Modifier un canal d’alerte',
    description: 'Un champ absent ne change pas, ni une adresse ou un secret vide. Le genre ne change jamais.',
    errors: {
      conflict:
        'L’adresse ou le secret enregistrés ne peuvent plus être lus\u00a0: donnez-les de nouveau. Ou le canal vient d’être modifié ailleurs.',
    },
    request: { min_severity: 'warning', delay_minutes: 5 },
  },
  'sites.channels.delete': {
    summary: 'Supprimer un canal d’alerte',
    description:
      'Plus rien ne part par ce canal. Ses messages disparaissent aussi, y compris du déroulé des incidents. Sans retour.',
  },
  'sites.channels.test': {
    summary: 'Tester un canal d’alerte',
    description:
      'Envoie aussitôt un message de test, une seule fois. Un envoi qui échoue n’est pas une erreur\u00a0: `state` dit comment il a fini, `error` pourquoi. Un mail peut encore attendre. Le test d’un signe de vie est un appel, qu’aucune liste ne garde.',
    success: 'Le message de test.',
    answer: failedTest,
    errors: { too_many: tooMany },
  },
  'sites.deliveries.list': {
    summary: 'Lister les messages des canaux',
    description: 'Du plus récent au plus ancien.',
  },
  'sites.deliveries.resend': {
    summary: 'Renvoyer un message',
    description: 'Envoie le même message une fois de plus. Celui d’avant reste tel quel.',
    success: 'Le nouveau message, en attente.',
    answer: delivery,
    errors: { conflict: 'Ce message attend encore de partir.', too_many: tooMany },
  },
};
