import type { Description, Descriptions } from './description';

const cloudflare = {
  conflict: 'Cloudflare n’est pas configuré, a refusé les accès, ou la zone a changé entre-temps.',
  remote_too_slow: 'Cloudflare n’a pas répondu\u00a0: vérifiez la zone avant de recommencer.',
} as const;

/** What asks Cloudflare, and may fail as it does. */
const asking = (text: Description): Description => ({ ...text, errors: { ...cloudflare, ...text.errors } });

const change = { action: 'create', record: { type: 'A', name: 'boutique', content: '203.0.113.10' } };
const form = { type: 'A', name: 'boutique', content: '203.0.113.10', ttl: 3600, proxied: false, comment: 'Boutique' };

export const dnsZones: Descriptions = {
  'dns.zones.list': asking({
    summary: 'Lister les zones',
    description: 'Lues chez Cloudflare il y a une minute au plus, ou à nouveau avec `fresh=1`.',
  }),
  'dns.zones.read': asking({ summary: 'Lire une zone' }),
  'dns.zones.create': asking({
    summary: 'Ajouter une zone',
    description:
      'La crée chez Cloudflare\u202f; la réponse donne les serveurs de noms à saisir chez le bureau d’enregistrement.',
    errors: { conflict: 'Cette zone existe déjà chez Cloudflare, ou Cloudflare a refusé.' },
  }),
  'dns.lint.read': asking({
    summary: 'Vérifier une zone',
    description: 'SPF, DKIM, DMARC, MX et doublons\u00a0: le plus grave d’abord.',
  }),
  'dns.mapping.list': asking({ summary: 'Lister les sites liés à une zone' }),
  'dns.mapping.free_sites': { summary: 'Lister les sites sans zone' },
  'dns.mapping.suggest': asking({ summary: 'Proposer des liens entre sites et zones' }),
  'dns.mapping.link': asking({
    summary: 'Lier une zone à un site',
    errors: { conflict: 'Le site ou la zone est déjà lié, ou ils ne sont pas à la même personne.' },
  }),
  'dns.mapping.unlink': { summary: 'Délier un site de sa zone', description: 'Rien ne change chez Cloudflare.' },
};

export const dnsRecords: Descriptions = {
  'dns.records.list': asking({ summary: 'Lister les enregistrements d’une zone', description: 'Lus chez Cloudflare.' }),
  'dns.records.read': asking({ summary: 'Lire un enregistrement' }),
  'dns.records.create': asking({
    summary: 'Créer un enregistrement',
    description: 'Le change chez Cloudflare aussitôt\u202f; l’historique de la zone permet d’y revenir.',
    request: form,
  }),
  'dns.records.edit': asking({
    summary: 'Modifier un enregistrement',
    description: 'Un champ absent ne change pas. `expected` refuse d’écraser un autre changement.',
    request: { content: '203.0.113.11', expected: 'a1b2c3d4e5f60718' },
  }),
  'dns.records.delete': asking({ summary: 'Supprimer un enregistrement' }),
  'dns.records.create_subdomain': asking({
    summary: 'Créer un sous-domaine',
    description: 'Par défaut un enregistrement A vers le serveur du site lié.',
    request: { subdomain: 'boutique', type: 'A', content: '203.0.113.10' },
  }),
  'dns.changes.preview': asking({
    summary: 'Prévoir plusieurs changements',
    description: 'Montre les différences, et ne change rien.',
    request: { changes: [change] },
  }),
  'dns.changes.apply': asking({
    summary: 'Faire plusieurs changements',
    description: 'Une contradiction les refuse tous avant le premier. Ceux qui attendent encore sont à renvoyer.',
    request: { changes: [change] },
  }),
  'dns.zone_files.export': asking({ summary: 'Exporter une zone', description: 'En fichier de zone BIND.' }),
  'dns.zone_files.preview': asking({
    summary: 'Prévoir l’import d’un fichier de zone',
    description: 'Montre les différences et les lignes que Vigie n’a pas comprises, et ne change rien.',
  }),
  'dns.zone_files.import': asking({
    summary: 'Importer un fichier de zone',
    description: '`replace` supprime aussi ce que le fichier n’a pas, sauf les NS de la zone.',
  }),
};

export const dnsHistory: Descriptions = {
  'dns.history.list': { summary: 'Lister l’historique d’une zone', errors: { conflict: cloudflare.conflict } },
  'dns.history.read': asking({ summary: 'Comparer un état passé d’une zone' }),
  'dns.history.records': {
    summary: 'Lister les enregistrements d’un état passé',
    errors: { conflict: cloudflare.conflict },
  },
  'dns.history.revert': asking({
    summary: 'Revenir à un état passé d’une zone',
    description: 'Change la zone chez Cloudflare\u202f; le retour est lui-même un état de l’historique.',
  }),
  'dns.history.accept': {
    summary: 'Accepter les changements faits hors de Vigie',
    errors: { conflict: cloudflare.conflict },
  },
};

export const cloudflareAccess: Descriptions = {
  'dns.config.read': {
    summary: 'Lire sa configuration Cloudflare',
    description: 'La clé elle-même n’est jamais donnée.',
  },
  'dns.config.create': asking({
    summary: 'Configurer Cloudflare',
    description: 'Les accès sont essayés avant d’être gardés.',
    errors: { conflict: 'Cloudflare est déjà configuré, ou a refusé ces accès.' },
  }),
  'dns.config.edit': asking({
    summary: 'Modifier sa configuration Cloudflare',
    description: 'Un champ absent ou une clé vide ne change pas.',
  }),
  'dns.config.delete': {
    summary: 'Supprimer sa configuration Cloudflare',
    description: 'Avec les liens et l’historique de ses zones, sans retour. Rien ne change chez Cloudflare.',
    errors: { conflict: 'Il n’y a pas de configuration.' },
  },
  'dns.config.validate': asking({ summary: 'Essayer des accès à Cloudflare', description: 'Sans rien garder.' }),
  'dns.config.account': asking({ summary: 'Lire le compte Cloudflare' }),
};
