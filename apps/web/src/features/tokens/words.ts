import type { TokenScope } from '@vigie/contracts/token-scopes';
import type { Token } from '@vigie/contracts/tokens';

export const scopeWords: Readonly<Record<TokenScope, { label: string; about: string }>> = {
  read: { label: 'Lire', about: 'Voit ce que vous voyez, ne change rien.' },
  backup: { label: 'Sauvegarder', about: 'Crée, vérifie, importe et télécharge des sauvegardes.' },
  restore: { label: 'Restaurer', about: 'Restaure ou supprime une sauvegarde, revient à une version précédente.' },
  update: { label: 'Modifier', about: 'Met à jour, installe, teste, répare, range et supprime.' },
  run: { label: 'Exécuter', about: 'Lance des commandes sur vos sites.' },
  console: { label: 'Ouvrir des consoles', about: 'Ouvre une console sur vos serveurs.' },
  dns: { label: 'Gérer le DNS', about: 'Modifie les zones et leurs enregistrements.' },
  admin: { label: 'Administrer', about: 'Voit les données de tout le monde et la liste des comptes.' },
};

export const nameScopes = (scopes: readonly TokenScope[]): string =>
  scopes.map((scope) => scopeWords[scope].label).join(', ');

const warningMs = 7 * 24 * 60 * 60_000;

export type Expiry = 'over' | 'soon' | 'later';

/** A mail announces the end of a token as early as this list does. */
export function expiryOf({ expires_at: at }: Pick<Token, 'expires_at'>, now: Date): Expiry {
  const left = Date.parse(at) - now.getTime();
  if (left <= 0) return 'over';
  return left < warningMs ? 'soon' : 'later';
}
