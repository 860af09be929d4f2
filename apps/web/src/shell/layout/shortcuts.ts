import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';
import { sidebar } from './navigation';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
export const paletteKeys = isMac ? ['⌘', 'K'] : ['Ctrl', 'K'];

export const markKeys = [isMac ? '⌘' : 'Ctrl', 'Entrée'];

export type Shortcut = { keys: readonly string[]; label: string };

export const shortcuts: readonly Shortcut[] = [
  { keys: paletteKeys, label: 'Rechercher ou agir' },
  { keys: markKeys, label: 'Cocher un site dans la recherche, pour agir sur plusieurs' },
  { keys: ['/'], label: 'Aller à la recherche de la page, s’il y en a une' },
  { keys: ['t'], label: 'Ouvrir les tâches' },
  { keys: ['c'], label: 'Ouvrir les consoles' },
  { keys: ['j', 'k'], label: 'Ligne suivante ou précédente d’une liste' },
  { keys: ['Entrée'], label: 'Ouvrir la ligne' },
  { keys: ['x'], label: 'Cocher la ligne, avec Maj jusqu’à elle' },
  { keys: ['?'], label: 'Afficher cette liste' },
  ...sidebar.flat().flatMap(({ key, label }) => (key ? [{ keys: ['g', key], label: `Aller à ${label}` }] : [])),
  { keys: ['Échap'], label: 'Fermer ce qui est ouvert' },
];

/** In a terminal, all other keys go to the shell. */
export const consoleShortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl', 'Maj', 'C'], label: 'Copier ce qui est sélectionné' },
  { keys: ['Ctrl', 'Maj', 'V'], label: 'Coller' },
  { keys: ['Ctrl', 'Maj', 'F'], label: 'Chercher dans le terminal' },
  { keys: ['Alt', 'T'], label: 'Autre console sur le même serveur' },
  { keys: ['Alt', 'W'], label: 'Fermer la console' },
  { keys: ['Ctrl', 'Maj', '←'], label: 'Console précédente' },
  { keys: ['Ctrl', 'Maj', '→'], label: 'Console suivante' },
  { keys: ['Ctrl', 'Maj', '↑'], label: 'Sortir du terminal' },
];

/** Single-letter shortcuts can be turned off, because voice dictation types many letters. */
export const singleKeys = createSignal(readLocal('single-keys') !== 'off');
singleKeys.subscribe(() => writeLocal('single-keys', singleKeys.get() ? null : 'off'));
