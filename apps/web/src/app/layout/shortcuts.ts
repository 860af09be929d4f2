import { sidebar } from '../navigation';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
export const paletteKeys = isMac ? ['⌘', 'K'] : ['Ctrl', 'K'];

export type Shortcut = { keys: readonly string[]; does: string };

export const shortcuts: readonly Shortcut[] = [
  { keys: paletteKeys, does: 'Rechercher ou agir' },
  { keys: ['/'], does: 'Aller à la recherche de la page, s’il y en a une' },
  { keys: ['t'], does: 'Ouvrir les tâches' },
  { keys: ['?'], does: 'Afficher cette liste' },
  ...sidebar.flat().flatMap(({ key, label }) => (key ? [{ keys: ['g', key], does: `Aller à ${label}` }] : [])),
  { keys: ['Échap'], does: 'Fermer ce qui est ouvert' },
];
