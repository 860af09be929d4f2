import { sidebar } from '../navigation';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
export const paletteKeys = isMac ? ['⌘', 'K'] : ['Ctrl', 'K'];

export type Shortcut = { keys: readonly string[]; does: string };

export const shortcuts: readonly Shortcut[] = [
  { keys: paletteKeys, does: 'Rechercher ou agir' },
  { keys: ['/'], does: 'Aller à la recherche de la page, s’il y en a une' },
  { keys: ['t'], does: 'Ouvrir les tâches' },
  { keys: ['c'], does: 'Ouvrir les consoles' },
  { keys: ['?'], does: 'Afficher cette liste' },
  ...sidebar.flat().flatMap(({ key, label }) => (key ? [{ keys: ['g', key], does: `Aller à ${label}` }] : [])),
  { keys: ['Échap'], does: 'Fermer ce qui est ouvert' },
];

/** In a terminal, all other keys go to the shell. */
export const consoleShortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl', 'Maj', 'C'], does: 'Copier ce qui est sélectionné' },
  { keys: ['Ctrl', 'Maj', 'V'], does: 'Coller' },
  { keys: ['Ctrl', 'Maj', 'F'], does: 'Chercher dans le terminal' },
  { keys: ['Alt', 'T'], does: 'Autre console sur le même serveur' },
  { keys: ['Alt', 'W'], does: 'Fermer la console' },
  { keys: ['Ctrl', 'Maj', '←'], does: 'Console précédente' },
  { keys: ['Ctrl', 'Maj', '→'], does: 'Console suivante' },
  { keys: ['Ctrl', 'Maj', '↑'], does: 'Sortir du terminal' },
];
