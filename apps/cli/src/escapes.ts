const escape = '\\u001b';
/** CSI sequences, and OSC, DCS, PM, APC and SOS with their text: they move the cursor, set titles and write the clipboard. */
const sequence = new RegExp(
  [
    `(?:${escape}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${escape}[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|${escape}\\\\|\\u009c)?`,
    `${escape}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);
/** Control characters, and those that turn the direction of a text or hide in it. */
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** A text of the server as one line of a terminal, which it can neither move nor recolour. */
export const cleanLine = (text: string): string =>
  text
    .replaceAll(sequence, '')
    .replaceAll(/\s*[\n\r]+\s*|\t/g, ' ')
    .replaceAll(invisible, '');

/** As `cleanLine`, for a text whose lines and tabs count, such as the output of a command. */
export const cleanText = (text: string): string =>
  text
    .replaceAll(sequence, '')
    .split(/\r?\n|\r/)
    .map((line) => line.split('\t').map(cleanLine).join('\t'))
    .join('\n');

const acting = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

const escapeActing = (json: string): string =>
  json.replaceAll(acting, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON whose texts hold no character that acts on a terminal. */
export const safeJson = (value: unknown): string => escapeActing(JSON.stringify(value, null, 2) ?? 'null');

/** As `safeJson`, on one line. */
export const safeJsonLine = (value: unknown): string => escapeActing(JSON.stringify(value) ?? 'null');
