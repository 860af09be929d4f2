import type { Descriptions } from './description';

const user = {
  id: '01932c07-0a10-7b11-8a4e-6f1b2c3d4e5f',
  email: 'camille@exemple.fr',
  name: 'Camille Martin',
  first_name: 'Camille',
  last_name: 'Martin',
  role: 'client',
  is_admin: false,
} as const;

export const sessions: Descriptions = {
  'auth.sessions.login': {
    summary: 'Ouvrir une session',
    description:
      'Répond par un porteur (`access_token`), ou dit ce qui manque encore\u00a0: avec `requires_2fa`, répétez l’appel avec `totp_code`, `backup_code` ou `passkey`\u202f; avec `grace_period`, avec `skip_2fa`. Un programme préfère un jeton.',
    success: 'Le porteur et son utilisateur, ou l’étape qui manque.',
    errors: { unauthorized: 'L’email, le mot de passe, le code ou la clé d’accès n’est pas le bon.' },
    request: { email: 'camille@exemple.fr', password: 'phare-et-balise' },
    answer: { access_token: 'Vb3kQ0uT7mZ1xY5cR9eW2aS4dF6gH8jK0lP3oI5uN7q', user },
  },
  'auth.sessions.signup': {
    summary: 'Créer un compte',
    description: 'N’est ouvert qu’au premier compte ou si l’installation le permet, et ouvre une session.',
    errors: {
      conflict: 'Un compte existe déjà avec cet email.',
      forbidden: 'L’inscription n’est pas ouverte sur cette installation.',
    },
    request: { email: 'camille@exemple.fr', password: 'phare-et-balise' },
    answer: { access_token: 'Vb3kQ0uT7mZ1xY5cR9eW2aS4dF6gH8jK0lP3oI5uN7q', user },
  },
  'auth.sessions.logout': { summary: 'Fermer la session', description: 'Le porteur cesse de valoir aussitôt.' },
  'auth.sessions.list': { summary: 'Lister ses sessions ouvertes' },
  'auth.sessions.revoke': {
    summary: 'Fermer une de ses sessions',
    description: 'Ses consoles et son porteur prennent fin.',
  },
  'auth.users.me': { summary: 'Lire son profil' },
  'auth.passwords.change': {
    summary: 'Changer son mot de passe',
    description: 'Ferme les autres sessions de la personne. Ses clés d’accès restent.',
    errors: { conflict: 'Le compte vient de changer ailleurs\u00a0: recommencez.' },
    request: {
      current_password: 'phare-et-balise',
      new_password: 'sextant-et-boussole',
      confirm_password: 'sextant-et-boussole',
    },
  },
  'auth.passwords.forgot': {
    summary: 'Demander un lien pour un nouveau mot de passe',
    description: 'Répond de même, que le compte existe ou non.',
  },
  'auth.passwords.reset': {
    summary: 'Choisir un nouveau mot de passe par un lien reçu',
    description:
      'Le lien sert une seule fois, et toutes les sessions de la personne se ferment. Ses clés d’accès restent.',
  },
  'auth.two-factor.status': { summary: 'Lire l’état de sa double authentification' },
  'auth.two-factor.setup': {
    summary: 'Préparer sa double authentification',
    description:
      'Donne un secret et des codes de récupération, qui ne valent qu’une fois vérifiés. Rien n’est activé. Avec des clés d’accès, demande le mot de passe et laisse les codes d’avant.',
    errors: { conflict: 'Une application est déjà en place, ou le compte vient de changer.' },
  },
  'auth.two-factor.verify': {
    summary: 'Activer sa double authentification',
    description: '`secret` et `backup_codes` sont ceux que la préparation a donnés.',
    errors: { conflict: 'Une application est déjà en place, ou le compte vient de changer.' },
  },
  'auth.two-factor.disable': {
    summary: 'Désactiver sa double authentification',
    description: 'Retire l’application. Les clés d’accès restent, et avec elles la double authentification.',
    errors: { conflict: 'Elle n’est pas activée, les réglages l’exigent, ou il ne reste que des clés d’accès.' },
  },
  'auth.two-factor.renew_codes': {
    summary: 'Renouveler ses codes de récupération',
    description: 'Les anciens codes ne valent plus.',
    errors: { conflict: 'La double authentification n’est pas activée.' },
  },
};

export const tokens: Descriptions = {
  'auth.tokens.list': { summary: 'Lister ses jetons', description: 'En mode administrateur\u00a0: ceux de tous.' },
  'auth.tokens.create': {
    summary: 'Créer un jeton',
    description: 'Le jeton lui-même n’est montré que dans cette réponse\u00a0: Vigie n’en garde que l’empreinte.',
    errors: {
      conflict: 'Vous avez trop de jetons, ou cette clé d’idempotence en a déjà créé un, qui ne peut plus être montré.',
    },
    request: {
      name: 'Sauvegardes de nuit',
      scopes: ['read', 'backup'],
      expires_at: '2027-06-30T00:00:00Z',
    },
  },
  'auth.tokens.delete': {
    summary: 'Révoquer un jeton',
    description: 'Il cesse de valoir aussitôt, sans retour. En mode administrateur, aussi celui d’un autre.',
  },
};

export const users: Descriptions = {
  'auth.users.list': { summary: 'Lister les utilisateurs' },
  'auth.users.create': {
    summary: 'Créer un utilisateur',
    errors: { conflict: 'Un compte existe déjà avec cet email.' },
  },
  'auth.users.edit': {
    summary: 'Modifier un utilisateur',
    description: 'Un champ absent ne change pas, ni un mot de passe vide. L’email ne change jamais.',
    errors: {
      conflict: 'Il s’agit de votre propre rôle ou mot de passe, ou il ne resterait aucun administrateur.',
    },
  },
  'auth.users.delete': {
    summary: 'Supprimer un utilisateur',
    description: 'Ses sessions et ses jetons prennent fin. Sans retour.',
    errors: { conflict: 'Il s’agit de votre propre compte, ou il ne resterait aucun administrateur.' },
  },
  'auth.two-factor.reset': {
    summary: 'Retirer la double authentification d’un utilisateur',
    description:
      'Pour une personne qui a perdu son téléphone et ses codes. Supprime aussi ses clés d’accès, et l’en prévient par email.',
    errors: { conflict: 'Ce compte n’en a pas, ou c’est le vôtre.' },
  },
  'auth.users.find': {
    summary: 'Trouver une personne par son adresse',
    description: 'Ne trouve que l’adresse exacte, pour partager quelque chose avec elle.',
    errors: { not_found: 'Personne n’a cette adresse.' },
  },
};

export const settings: Descriptions = {
  'auth.settings.read': { summary: 'Lire le nom et les logos de l’installation' },
  'auth.settings.save': {
    summary: 'Régler l’installation',
    description: 'Un champ absent ne change pas, null l’efface.',
  },
  'auth.notifications.read': {
    summary: 'Lire les réglages des mails',
    description: 'La clé elle-même n’est jamais donnée.',
  },
  'auth.notifications.save': {
    summary: 'Régler l’envoi des mails',
    description: 'Une clé vide garde l’actuelle, null la supprime.',
  },
  'auth.notifications.test': {
    summary: 'Envoyer un email de test',
    description: 'L’envoie à la personne qui le demande.',
    errors: {
      conflict: 'Aucun envoi de mails n’est réglé.',
      remote_failed: 'Le service de mails a refusé l’envoi.',
    },
  },
  'auth.notifications.mails': { summary: 'Lister les derniers mails' },
};

export const sharing: Descriptions = {
  'sites.grants.list': {
    summary: 'Lister les partages',
    description: 'Ceux des sites et groupes que l’on possède ou gère, avec ceux qu’ils héritent des groupes au-dessus.',
  },
  'sites.grants.create': {
    summary: 'Partager un site ou un groupe',
    description:
      'Nommez un site ou un groupe, et une personne ou une équipe. S’il est déjà partagé avec elles, leur rôle change.',
    errors: { conflict: 'Cette personne le possède déjà, ou c’est vous.' },
    request: {
      site_id: '01932c07-1b20-7c22-9b5f-7a2c3d4e5f60',
      user_id: '01932c07-0a10-7b11-8a4e-6f1b2c3d4e5f',
      role: 'operator',
    },
  },
  'sites.grants.delete': { summary: 'Retirer un partage' },
  'sites.teams.list': {
    summary: 'Lister les équipes',
    description: 'Toutes pour un administrateur, celles dont elle est membre pour une autre personne.',
  },
  'sites.teams.create': { summary: 'Créer une équipe', errors: { conflict: 'Une équipe porte déjà ce nom.' } },
  'sites.teams.edit': {
    summary: 'Modifier une équipe',
    description: 'Un champ absent ne change pas.',
    errors: { conflict: 'Une équipe porte déjà ce nom.' },
  },
  'sites.teams.delete': {
    summary: 'Supprimer une équipe',
    description: 'Ce qui était partagé avec elle ne l’est plus avec ses membres.',
  },
  'sites.owner_changes.plan': {
    summary: 'Prévoir un changement de propriétaire',
    description: 'Dit ce qui passerait avec, et n’écrit rien.',
    errors: { conflict: 'Tout cela appartient déjà à cette personne, ou ne peut pas lui passer.' },
  },
  'sites.owner_changes.apply': {
    summary: 'Confier à un autre propriétaire',
    summaries: {
      'PUT /api/sites/:id/owner': 'Confier un site à un autre propriétaire',
      'PUT /api/servers/:id/owner': 'Confier un serveur à un autre propriétaire',
      'PUT /api/groups/:id/owner': 'Confier un groupe à un autre propriétaire',
    },
    description: 'Un serveur emmène ses sites, un groupe tout ce qu’il contient. Répond par ce qui est passé.',
    errors: { conflict: 'Ce qui passerait a changé depuis le plan, ou ne peut pas passer à cette personne.' },
  },
  'sites.owner_changes.apply_to_sites': {
    summary: 'Confier plusieurs sites à un autre propriétaire',
    description: 'Tous passent, ou aucun.',
    errors: { conflict: 'Ce qui passerait a changé depuis le plan, ou ne peut pas passer à cette personne.' },
  },
};
