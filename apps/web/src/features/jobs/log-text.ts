import type { Job } from '@vigie/contracts/jobs';
import { foldText } from '@vigie/contracts/search-text';
import { formatDate } from '../../ui/dates';
import { jobName } from '../../kit/job/kinds';
import { stateLabel } from '../../kit/job/words';

const clock = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

// oxlint-disable-next-line no-control-regex -- ANSI colours contain one
const colours = /\u001b\[[\d;:]*m/g;
// oxlint-disable-next-line no-control-regex -- as above
const colourCodes = /\u001b\[([\d;:]*)m/;
/** Control characters except the tab, and characters that change the text direction. */
const unsafe = /(?!\t)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

const escapeCharacter = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Removes the colours from the output of a host, and escapes all other control characters. */
export const escapeControls = (text: string): string =>
  text.replaceAll(colours, '').replaceAll(unsafe, escapeCharacter);

type LogPart = { text: string; tone?: string | undefined; isBold: boolean };

/** The colours that hosts print, as the tokens that stay readable in both themes. */
const tones: Readonly<Record<number, string>> = {
  31: 'danger',
  32: 'ok',
  33: 'warn',
  34: 'info',
  35: 'licence',
  36: 'info',
};

function styleAfter(codes: string, style: Omit<LogPart, 'text'>): Omit<LogPart, 'text'> {
  let { tone, isBold } = style;
  for (const code of codes.split(/[;:]/).map(Number)) {
    if (code === 0) [tone, isBold] = [undefined, false];
    else if (code === 1 || code === 22) isBold = code === 1;
    else if (code === 39) tone = undefined;
    // Bright colours have the same tokens.
    else tone = tones[code >= 90 ? code - 60 : code] ?? tone;
  }
  return { tone, isBold };
}

/** The parts of a line in the colours that its host gave them, with all other control characters escaped. */
export function colouredParts(line: string): LogPart[] {
  // Splitting keeps the captured codes between the texts.
  const [first = '', ...rest] = line.split(colourCodes);
  const parts: LogPart[] = [{ text: first, isBold: false }];
  for (let at = 0; at < rest.length; at += 2) {
    parts.push({ ...styleAfter(rest[at] ?? '', parts.at(-1) ?? { isBold: false }), text: rest[at + 1] ?? '' });
  }
  return parts.filter(({ text }) => text !== '').map((part) => ({ ...part, text: escapeControls(part.text) }));
}

export const formatClock = (at: string): string => clock.format(new Date(at));

export const matchesText = (text: string, query: string): boolean => foldText(text).includes(foldText(query.trim()));

/** The log as a file, with a header that names the job. */
export function formatLog(job: Job): string {
  const head = [
    `${jobName(job)}\u00a0: ${stateLabel(job).word}`,
    `Tâche ${job.id}, demandée le ${formatDate(new Date(job.created_at))}`,
    ...(job.error ? [job.error.message, job.error.remedy, job.error.stderr, job.error.stdout] : []),
  ].filter((line) => line !== undefined && line !== '');
  const lines = job.log.map(({ at, text }) => `${at} ${escapeControls(text)}`);
  return `${[...head.flatMap((text) => (text ?? '').split('\n').map(escapeControls)), '', ...lines].join('\n')}\n`;
}

export const logFileName = ({ kind, id, site_name: siteName, server_name: serverName }: Job): string => {
  const name = [kind, siteName ?? serverName, id.slice(0, 13)].filter(Boolean).join('-');
  return `${name.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')}.log`;
};
