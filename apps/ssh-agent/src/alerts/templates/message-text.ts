import type { AlertMessage } from '@vigie/contracts/alerts';
import { hasDuration } from '@vigie/contracts/incident-kinds';
import { severityWord, stateWord } from '@vigie/contracts/incident-words';
import { cleanLine } from '@vigie/contracts/text';

/** A space without width, which breaks what a chat would turn into a mention, a link or a list. */
const breaker = '\u200B';

/** Text of sites and people on one line, which mentions nobody and links nowhere. */
const neutral = (text: string): string =>
  cleanLine(text).replaceAll('@', `@${breaker}`).replaceAll('://', `:${breaker}//`);

/**
 * "Critique", or "Rétabli (critique)" of an incident that has ended. Empty for a test, and for an incident that somebody
 * closed, whose title says so. How long a renewed certificate was from its end no longer matters.
 */
function severityLabel({ kind, severity, incident }: AlertMessage): string {
  if (severity === null) return '';
  const word = severityWord(severity);
  if (kind !== 'resolved' || !incident) return word;
  if (incident.resolution === 'closed') return '';
  const state = stateWord(incident);
  return hasDuration(incident) ? `${state} (${word.toLocaleLowerCase('fr')})` : state;
}

export function headlineOf(message: AlertMessage): string {
  const label = severityLabel(message);
  return `${label === '' ? '' : `${label}\u00a0: `}${neutral(message.title)}`;
}

export const linesOf = ({ lines }: AlertMessage): string[] => lines.map(neutral).filter((line) => line !== '');

export const linkLabelOf = (message: AlertMessage): string => neutral(message.link_label);

/** The link without the characters that end a link in one of the forms. */
export const linkOf = ({ link }: AlertMessage): string =>
  (URL.canParse(link) ? new URL(link).href : link).replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0020<>|()"'\\`]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** Keeps a chat from reading the beginning of a line as a title, a quotation or a list. */
const withoutBlocks = (line: string): string => line.replace(/^(?=[#>+=|-]|\d+[.)])/, breaker);

const plainCharacters: Readonly<Record<string, string>> = {
  '*': '∗',
  '~': '∼',
  '`': 'ˋ',
  '[': '［',
  ']': '］',
  '\\': '∖',
};

/** For chats that have no sign to escape others: writes letters that look alike instead. */
export const withoutFormatting = (line: string): string =>
  withoutBlocks(line)
    .replaceAll(/[*~`[\]\\]/g, (character) => plainCharacters[character] ?? '')
    // Chats do not read an underscore inside a word.
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '＿');

export const escapeMarkdown = (line: string): string =>
  withoutBlocks(line).replaceAll(/[\\*_~`|<[\]]/g, String.raw`\$&`);

function cut(text: string, max: number): string {
  const kept = text.slice(0, Math.max(max - 1, 0));
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

type Fit = { max: number; escape?: (text: string) => string; size?: (text: string) => number };

const same = (text: string) => text;
const lengthOf = (text: string) => text.length;

/** Escapes a text, and cuts it where it would be too long then: at a whole character, and never inside an escape. */
export function fit(text: string, { max, escape = same, size = lengthOf }: Fit): string {
  let kept = text;
  for (;;) {
    const written = escape(kept);
    const excess = size(written) > max;
    if (!excess || kept.length <= 1) return written;
    kept = cut(kept, Math.min(kept.length - 1, Math.floor((kept.length * max) / size(written))));
  }
}
