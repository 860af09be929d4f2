import { foldText, searchWords } from '@vigie/contracts/search-text';
import type { LucideIcon } from 'lucide-react';
import type { Entity } from './entities';

export type Command = {
  id: string;
  /** Set for the pages and actions that need no search. */
  group?: 'Aller à' | 'Actions';
  label: string;
  detail?: string;
  words: string;
  icon: LucideIcon;
  keys: readonly string[];
  /** The search result that the command opens or acts on. */
  entity?: Entity;
  run: () => void;
};

const notFound = Number.POSITIVE_INFINITY;

/** How well a word of the query matches a command; smaller is better. */
function distance(word: string, label: string, words: string): number {
  if (label.startsWith(word)) return 0;
  if (label.includes(` ${word}`)) return 1;
  if (label.includes(word)) return 2;
  return ` ${words}`.includes(` ${word}`) ? 3 : notFound;
}

type SearchableText = Pick<Command, 'label' | 'words'>;

/** Returns the commands that contain every word of the query, best match first; equal matches keep their order. */
export function matchCommands<C extends SearchableText>(commands: readonly C[], query: string): C[] {
  const queryWords = searchWords(query);
  return commands
    .map((command) => {
      const [label, words] = [foldText(command.label), foldText(command.words)];
      return { command, distanceSum: queryWords.reduce((sum, word) => sum + distance(word, label, words), 0) };
    })
    .filter(({ distanceSum }) => distanceSum < notFound)
    .sort((a, b) => a.distanceSum - b.distanceSum)
    .map(({ command }) => command);
}

/** Whether a result of an earlier, shorter query also matches this one. */
export function stillMatches({ label, words }: SearchableText, query: string): boolean {
  const text = `${foldText(label)} ${foldText(words)}`;
  return searchWords(query).every((word) => text.includes(word));
}
