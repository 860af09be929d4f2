import type { Fields } from '../glossary';

const id = '01932c07-2a00-7c3a-9f1e-5d7a6b0c4e21';
const group = '01932c07-3c30-7d33-8c60-8b3d4e5f6071';

const kind: Fields[string] = ['Par où partent ses messages\u202f; ne change jamais.', 'slack'];
const name: Fields[string] = ['Son nom.', 'Astreinte'];
const host: Fields[string] = ['L’hôte où partent les messages\u202f; null pour les mails.', 'hooks.slack.com'];
const owner: Fields[string] = [
  'Le propriétaire, en mode administrateur\u202f; null pour un canal de l’installation.',
  null,
];
const groups: Fields[string] = [
  'Seulement les incidents qui touchent un site de ces groupes, ou de ceux qu’ils contiennent\u202f; null pour tous, vide quand ils ont tous été supprimés.',
  [group],
];
const givenGroups: Fields[string] = [
  'Seulement les incidents qui touchent un site de ces groupes, ou de ceux qu’ils contiennent\u202f; null pour tous.',
  [group],
];
const url: Fields[string] = [
  'L’adresse à laquelle envoyer les messages, ou à appeler chaque minute. Vigie ne la montre plus.',
  'https://hooks.slack.com/services/T00/B00/exemple',
];
const secret: Fields[string] = [
  'Le jeton du robot Telegram, celui de ntfy, ou la clé qui signe les messages d’un webhook. Vigie ne le montre plus.',
  null,
];
const states =
  '`cancelled`\u00a0: il ne servait plus à rien avant de partir, ou le canal a été mis en pause. Un message `queued` attend sa prochaine tentative.';
const heartbeat: Fields[string] = ['Où en sont les appels d’un signe de vie\u202f; absent d’un autre canal.'];
const lastState: Fields[string] = ['Comment il a fini\u202f; `queued` tant que Vigie essaie encore.', 'sent'];

/** What channels of alerts and their messages say. */
export const channelFields: Fields = {
  is_shared: [
    'S’il est de l’installation\u00a0: il parle de tous les sites, et tous les administrateurs le règlent. Sinon il ne parle que de ceux que son propriétaire voit.',
    true,
  ],
  has_secret: ['Si un secret est enregistré.', false],
  is_enabled: ['S’il envoie ses messages.', true],
  min_severity: [
    'Gravité minimale des incidents envoyés\u202f; null pour aucun, quand il n’envoie que le bulletin ou est un signe de vie.',
    'critical',
  ],
  quiet_from: [
    'Le début des heures calmes, pendant lesquelles seuls les incidents critiques partent\u202f; les autres attendent.',
    '22:00',
  ],
  quiet_to: ['La fin des heures calmes.', '07:00'],
  time_zone: ['Le fuseau horaire de ces heures.', 'Europe/Paris'],
  delay_minutes: ['Un incident ne part que si personne ne s’en est chargé au bout de tant de minutes.', 0],
  digest_at: ['L’heure du bulletin du jour, par mail seulement\u202f; null pour aucun.', null],
  emails: [
    'Les destinataires d’un canal par mail\u202f; sans eux, tous les administrateurs, ou la personne à qui est le canal.',
    [],
  ],
  chat_id: ['La conversation Telegram\u00a0: un nombre, ou le nom d’une chaîne publique.', null],
  last_delivery: [
    'Le dernier message envoyé ou en échec, ou un message en attente dont les tentatives ont échoué jusqu’ici\u202f; null s’il n’y en a pas.',
  ],
  'ChannelHeartbeat.called_at': ['Le dernier appel\u202f; null avant le premier.', '2026-11-28T09:30:00.000Z'],
  'ChannelHeartbeat.accepted_at': [
    'Le dernier appel accepté\u202f; null avant le premier.',
    '2026-11-28T09:30:00.000Z',
  ],
  'ChannelHeartbeat.status': ['Le code HTTP du dernier appel\u202f; null sans réponse.', 200],
  'ChannelHeartbeat.error': ['Pourquoi le dernier appel n’a pas été accepté\u202f; null sinon.', null],
  'ChannelHeartbeat.missing': [
    'Ce qui manque, et rien n’est appelé tant que cela dure\u202f; vide quand tout fonctionne.',
    [],
  ],
  'ChannelHeartbeat.missing.part': [
    'Ce qui ne répond pas\u202f; `visits`\u00a0: les visites des sites ont plus de trois minutes de retard.',
    'ssh-agent',
  ],
  'ChannelHeartbeat.missing.since': ['Depuis quand.', '2026-11-28T09:30:00.000Z'],
  'Channel.heartbeat': heartbeat,
  'sites.channels.create:heartbeat': heartbeat,
  channel_id: ['Le canal.', id],
  incident_id: ['L’incident dont il parle\u202f; null pour un test ou un bulletin.', id],
  answer: ['Le début de ce que l’autre côté a répondu.', 'ok'],
  next_at: [
    'La prochaine tentative, tant que le message attend\u202f; null pour un mail, pendant une tentative, et une fois le message envoyé ou abandonné.',
    null,
  ],
  resent_from: ['Le message que quelqu’un a renvoyé par celui-ci.', null],
  channel: ['Le canal qui l’envoie.'],
  'Channel.kind': kind,
  'Channel.name': name,
  'Channel.host': host,
  'Channel.owner_id': owner,
  'Channel.group_ids': groups,
  'Channel.last_delivery.state': lastState,
  'CreateChannel.kind': kind,
  'CreateChannel.name': name,
  'CreateChannel.url': url,
  'CreateChannel.secret': secret,
  'CreateChannel.group_ids': givenGroups,
  'sites.channels.create:kind': kind,
  'sites.channels.create:name': name,
  'sites.channels.create:host': host,
  'sites.channels.create:owner_id': owner,
  'sites.channels.create:group_ids': groups,
  'sites.channels.create:last_delivery': ['Null\u00a0: il n’a encore rien envoyé.', null],
  'sites.channels.create:last_delivery.state': lastState,
  'sites.channels.create:secret': [
    'La clé que Vigie a faite pour un webhook qui n’en avait pas, montrée cette seule fois\u202f; null sinon.',
    null,
  ],
  'sites.channels.edit:name': name,
  'sites.channels.edit:url': url,
  'sites.channels.edit:secret': secret,
  'sites.channels.edit:group_ids': givenGroups,
  'sites.deliveries.list:incident_id': ['L’incident dont ils parlent.', id],
  'sites.deliveries.list:state': ['Où ils en sont.', 'failed'],
  'Delivery.kind': ['`reminder`\u00a0: l’incident dure encore\u202f; `digest`\u00a0: le bulletin du jour.', 'opened'],
  'Delivery.channel.kind': ['Par où il part.', 'slack'],
  'Delivery.channel.name': ['Le nom du canal.', 'Astreinte'],
  'Delivery.title': ['Ce qu’il dit, en une ligne.', 'boutique.exemple.fr ne répond plus'],
  'Delivery.state': [states, 'sent'],
  'Delivery.status': ['Le code HTTP de la réponse\u202f; null sans réponse, ou par mail.', 200],
  'Delivery.error': ['Pourquoi il n’est pas parti\u202f; null sinon.', null],
  'Delivery.attempts': ['Combien de tentatives ont eu lieu.', 1],
};
