import type { Descriptions } from './description';

const unavailable = 'Cette installation ne propose pas de clés d’accès\u00a0: il leur faut HTTPS et un nom de domaine.';

export const passkeys: Descriptions = {
  'auth.passkey-logins.options': {
    summary: 'Préparer une connexion par clé d’accès',
    description: 'Répond de même pour tous\u00a0: la clé dira de quel compte il s’agit.',
    errors: { conflict: unavailable },
  },
  'auth.passkey-logins.login': {
    summary: 'Ouvrir une session par une clé d’accès',
    description: 'La clé a vérifié la personne\u00a0: ni mot de passe ni code ne sont demandés.',
    success: 'Le porteur et son utilisateur.',
    errors: {
      unauthorized: 'Le défi a expiré ou a déjà servi, ou la clé n’est pas acceptée, sans que la raison en soit dite.',
      conflict: unavailable,
    },
    answer: {
      access_token: 'Vb3kQ0uT7mZ1xY5cR9eW2aS4dF6gH8jK0lP3oI5uN7q',
      user: {
        id: '01932c07-0a10-7b11-8a4e-6f1b2c3d4e5f',
        email: 'camille@exemple.fr',
        name: 'Camille Martin',
        first_name: 'Camille',
        last_name: 'Martin',
        role: 'client',
        is_admin: false,
      },
    },
  },
  'auth.passkeys.list': { summary: 'Lister ses clés d’accès' },
  'auth.passkeys.options': {
    summary: 'Préparer une clé d’accès',
    description: 'Rien n’est ajouté. La même session envoie ensuite la clé.',
    errors: { conflict: `${unavailable} Ou le compte en a déjà vingt, ou vient de changer.` },
  },
  'auth.passkeys.create': {
    summary: 'Ajouter une clé d’accès',
    description:
      'Active la double authentification si elle ne l’était pas\u00a0: `backup_codes` donne alors, cette seule fois, les codes de récupération.',
    errors: {
      conflict: `Cette clé est déjà enregistrée, le compte en a déjà vingt ou vient de changer. Ou bien\u00a0: ${unavailable}`,
    },
    success: 'La clé, et les codes de récupération si c’est la première protection du compte.',
  },
  'auth.passkeys.rename': { summary: 'Renommer une clé d’accès' },
  'auth.passkeys.delete': {
    summary: 'Supprimer une clé d’accès',
    description:
      'Ferme les autres sessions qu’elle a ouvertes. La dernière protection d’un compte emporte la double authentification et ses codes.',
    errors: {
      conflict: 'C’est la dernière protection du compte et les réglages en exigent une, ou le compte vient de changer.',
    },
  },
};
