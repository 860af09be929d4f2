import type { LucideIcon } from 'lucide-react';

export type Command = {
  id: string;
  group: 'Aller à' | 'Actions';
  label: string;
  words: string;
  icon: LucideIcon;
  keys: readonly string[];
  run: () => void;
};

/** "Réglages" is found by "reglages", and the other way round. */
const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’']/g, ' ').toLowerCase();

const notFound = Number.POSITIVE_INFINITY;

/** How far a word of the query is from a command; smaller is better. */
function distance(word: string, label: string, words: string): number {
  if (label.startsWith(word)) return 0;
  if (label.includes(` ${word}`)) return 1;
  if (label.includes(word)) return 2;
  return ` ${words}`.includes(` ${word}`) ? 3 : notFound;
}

type Named = Pick<Command, 'label' | 'words'>;

/** The commands that have every word of the query, best first; equals stay in the order they came in. */
export function matchCommands<C extends Named>(commands: readonly C[], query: string): C[] {
  const asked = plain(query).split(/\s+/).filter(Boolean);
  return commands
    .map((command) => {
      const [label, words] = [plain(command.label), plain(command.words)];
      return { command, far: asked.reduce((sum, word) => sum + distance(word, label, words), 0) };
    })
    .filter(({ far }) => far < notFound)
    .sort((a, b) => a.far - b.far)
    .map(({ command }) => command);
}
