import type { ChannelKind } from '@vigie/contracts/channels';

type SecretField = { label: string; about: string };
export type KindFields = {
  /** Where to find what the form asks for. */
  about: string;
  hasUrl: boolean;
  urlAbout?: string;
  secret?: SecretField;
};

/** What the form of each kind asks for. */
export const kindFields: Readonly<Record<ChannelKind, KindFields>> = {
  mail: { about: 'Vigie écrit à l’ouverture d’un incident, puis à sa fin.', hasUrl: false },
  webhook: {
    about: 'L’adresse de votre programme\u00a0: Vigie y envoie du JSON signé, par POST.',
    hasUrl: true,
    secret: {
      label: 'Secret de signature',
      about: 'Laissez le champ vide\u00a0: Vigie crée un secret, et vous le montre une fois.',
    },
  },
  slack: {
    about: 'Sur api.slack.com/apps\u00a0: votre application, Incoming Webhooks, puis Add New Webhook.',
    hasUrl: true,
  },
  discord: { about: 'Dans Discord\u00a0: Modifier le salon, Intégrations, Webhooks, puis Copier l’URL.', hasUrl: true },
  teams: {
    about:
      'Dans Teams\u00a0: Flux de travail, «\u00a0Envoyer des alertes de webhook à un canal\u00a0», puis copiez l’URL.',
    hasUrl: true,
  },
  google_chat: {
    about: 'Dans Google Chat\u00a0: le nom de l’espace, Applications et intégrations, puis Webhooks.',
    hasUrl: true,
  },
  telegram: {
    about: 'Créez un robot avec @BotFather, copiez son jeton, puis ajoutez le robot à la conversation.',
    hasUrl: false,
    secret: { label: 'Jeton du robot', about: 'Celui que donne @BotFather, comme 123456:ABC…' },
  },
  ntfy: {
    about: 'L’adresse d’un sujet, comme ntfy.sh/mon-sujet\u00a0: choisissez un nom que personne ne devine.',
    hasUrl: true,
    secret: { label: 'Jeton d’accès', about: 'Facultatif, pour un sujet protégé.' },
  },
  heartbeat: {
    about:
      'Vigie appelle cette adresse chaque minute tant que tout fonctionne. Si les appels cessent, votre service de surveillance vous prévient.',
    hasUrl: true,
    urlAbout: 'Celle que donne Healthchecks, Uptime Kuma (Push), Better Stack ou Cronitor.',
  },
};
