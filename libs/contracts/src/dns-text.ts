const quoted = /^"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*$/s;
/** A byte by its number. */
const numbered = /\\\d{3}/;
const half = /\p{Cs}/u;
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const encoder = new TextEncoder();

/**
 * What a TXT says: the strings of a zone file as one text, or the text itself where it has no quotes. Undefined where it
 * holds what nobody could see or read: control characters, half a letter, or bytes that are no UTF-8.
 */
export function readText(text: string): string | undefined {
  const foldText = quoted.test(text) ? unquote(text) : text;
  return foldText === undefined || invisible.test(foldText) ? undefined : foldText;
}

/** The same of what is held: what cannot be read stays in quotes, as a zone file has it. */
export const readStoredText = (text: string): string =>
  readText(text) ?? escape(quoted.test(text) ? text : quote(text));

/** One that stays in quotes. */
export const isLeftQuoted = (text: string): boolean => quoted.test(text) && readText(text) === undefined;

/** One string of a zone file. */
export const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** `\195\169` is two bytes of one letter, which may even lie in two strings. */
function unquote(text: string): string | undefined {
  const strings = (text.match(/"(?:[^"\\]|\\.)*"/gs) ?? []).map((part) => part.slice(1, -1));
  // A zone has thousands of texts, and hardly one whose bytes have to be looked at.
  if (!numbered.test(text)) return strings.join('').replaceAll(/\\(.)/gs, '$1');
  if (half.test(text)) return undefined;
  const bytes = strings.flatMap(bytesOf);
  if (bytes.some((byte) => byte > 255)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

const bytesOf = (string: string): number[] =>
  [...string.matchAll(/\\(\d{3})|\\?([^\\]+|\\)/gs)].flatMap(([, code, foldText = '']) =>
    code === undefined ? [...encoder.encode(foldText)] : [Number(code)],
  );

const escape = (text: string): string =>
  text.replaceAll(new RegExp(invisible, 'gu'), (letter) =>
    [...encoder.encode(letter)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
  );
