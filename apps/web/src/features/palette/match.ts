import { foldText, searchWords } from '@vigie/contracts/search-text';
import type { LucideIcon } from 'lucide-react';
import type { Entity } from './entities';

export type Command = {
  id: string;
  /** Of the pages and actions that are always there. */
  group?: 'Aller à' | 'Actions';
  label: string;
  detail?: string;
  words: string;
  icon: LucideIcon;
  keys: readonly string[];
  /** What it is about, where that was looked for. */
  entity?: Entity;
  run: () => void;
};

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
  const asked = searchWords(query);
  return commands
    .map((command) => {
      const [label, words] = [foldText(command.label), foldText(command.words)];
      return { command, far: asked.reduce((sum, word) => sum + distance(word, label, words), 0) };
    })
    .filter(({ far }) => far < notFound)
    .sort((a, b) => a.far - b.far)
    .map(({ command }) => command);
}

/** Whether what an earlier letter found is still among what is looked for. */
export function stillMatches({ label, words }: Named, query: string): boolean {
  const text = `${foldText(label)} ${foldText(words)}`;
  return searchWords(query).every((word) => text.includes(word));
}
