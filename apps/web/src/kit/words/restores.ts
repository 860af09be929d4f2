import type { RestoreMode, RestoreScope } from '@vigie/contracts/restores';

export const scopeNames: Readonly<Record<Exclude<RestoreScope, 'path' | 'table'>, string>> = {
  all: 'Tout',
  database: 'Base de données',
  uploads: 'Médias (uploads)',
  plugins: 'Plugins',
  themes: 'Thèmes',
};

const mergeHint =
  'Ce qui est dans l’archive reprend sa place. Ce qui n’y est pas reste, comme avec le plugin officiel.';
const replaceHints: Readonly<Record<RestoreScope, string>> = {
  all: 'Le site devient exactement ce que l’archive contient\u00a0: ce qui n’y est pas disparaît du site.',
  database: 'La base de données devient exactement celle de l’archive\u00a0: les autres tables du site disparaissent.',
  uploads: 'Les médias deviennent exactement ceux de l’archive\u00a0: les autres disparaissent du site.',
  plugins: 'Les plugins deviennent exactement ceux de l’archive\u00a0: les autres disparaissent du site.',
  themes: 'Les thèmes deviennent exactement ceux de l’archive\u00a0: les autres disparaissent du site.',
  path: 'Cet emplacement contiendra exactement ce que contient l’archive\u00a0: le reste disparaît.',
  table: 'La table devient exactement celle de l’archive.',
};

export const modeNames: Readonly<Record<RestoreMode, string>> = { merge: 'Fusionner', replace: 'Remplacer' };
export const modeHint = (mode: RestoreMode, scope: RestoreScope): string =>
  mode === 'merge' ? mergeHint : replaceHints[scope];

export const accountsWarning =
  'Les comptes WordPress de l’archive et leurs mots de passe remplacent ceux du site, y compris le vôtre\u00a0: vérifiez que vous connaissez le mot de passe de l’époque.';
