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
  /** Whether the palette stays open after it. */
  staysOpen?: boolean;
  run: () => void;
};

const notFound = Number.POSITIVE_INFINITY;
const minNearLength = 5;

/** Whether the text begins with the word but for one letter more, less, different or swapped with the next. */
export function isNear(word: string, text: string): boolean {
  if (word.length < minNearLength) return false;
  let same = 0;
  while (same < word.length && word[same] === text[same]) same += 1;
  const [typed, meant] = [word.slice(same), text.slice(same)];
  return (
    meant.slice(1).startsWith(typed.slice(1)) ||
    meant.slice(1).startsWith(typed) ||
    meant.startsWith(typed.slice(1)) ||
    (typed[0] === meant[1] && typed[1] === meant[0] && meant.slice(2).startsWith(typed.slice(2)))
  );
}

const hasNear = (word: string, text: string) => text.split(/[^a-z0-9]+/).some((other) => isNear(word, other));

/** How well a word of the query matches a command; smaller is better, and a typing error is worse than any match. */
function distance(word: string, label: string, words: string): number {
  if (label.startsWith(word)) return 0;
  if (label.includes(` ${word}`)) return 1;
  if (label.includes(word)) return 2;
  if (` ${words}`.includes(` ${word}`)) return 3;
  if (hasNear(word, label)) return 100;
  return hasNear(word, words) ? 101 : notFound;
}

type SearchableText = Pick<Command, 'label' | 'words'>;

/** How well a text matches all words; smaller is better, and infinite where a word is missing. */
function scoreOf({ label, words }: SearchableText, queryWords: readonly string[]): number {
  const [foldedLabel, foldedWords] = [foldText(label), foldText(words)];
  return queryWords.reduce((sum, word) => sum + distance(word, foldedLabel, foldedWords), 0);
}

/** Returns the commands that contain every word, best match first; equal matches keep their order. */
export const matchCommands = <C extends SearchableText>(commands: readonly C[], queryWords: readonly string[]): C[] =>
  commands
    .map((command) => ({ command, score: scoreOf(command, queryWords) }))
    .filter(({ score }) => score < notFound)
    .sort((a, b) => a.score - b.score)
    .map(({ command }) => command);

/** Whether a result of an earlier, shorter query also matches this one. */
export function stillMatches({ label, words }: SearchableText, query: string): boolean {
  const text = `${foldText(label)} ${foldText(words)}`;
  return searchWords(query).every((word) => text.includes(word) || hasNear(word, text));
}
