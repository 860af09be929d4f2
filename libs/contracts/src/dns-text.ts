const quotedStrings = /^"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*$/s;
const escapedByte = /\\\d{3}/;
const loneSurrogate = /\p{Cs}/u;
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const encoder = new TextEncoder();

/**
 * Reads a TXT content: joins the quoted strings of a zone file, or returns an unquoted text. Undefined when the text
 * has control characters, lone surrogates or bytes that are not UTF-8.
 */
export function readText(text: string): string | undefined {
  const decoded = quotedStrings.test(text) ? unquote(text) : text;
  return decoded === undefined || invisible.test(decoded) ? undefined : decoded;
}

/** Reads a stored TXT content; an unreadable one stays quoted, as in a zone file. */
export const readStoredText = (text: string): string =>
  readText(text) ?? escape(quotedStrings.test(text) ? text : quote(text));

/** Whether a content stays quoted because it is unreadable. */
export const isLeftQuoted = (text: string): boolean => quotedStrings.test(text) && readText(text) === undefined;

export const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Joins strings as bytes: `\195\169` are the two bytes of one letter, which two strings may share. */
function unquote(text: string): string | undefined {
  const strings = (text.match(/"(?:[^"\\]|\\.)*"/gs) ?? []).map((part) => part.slice(1, -1));
  // A zone may have thousands of texts, of which hardly any has escaped bytes.
  if (!escapedByte.test(text)) return strings.join('').replaceAll(/\\(.)/gs, '$1');
  if (loneSurrogate.test(text)) return undefined;
  const bytes = strings.flatMap(bytesOf);
  if (bytes.some((byte) => byte > 255)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

const bytesOf = (string: string): number[] =>
  [...string.matchAll(/\\(\d{3})|\\?([^\\]+|\\)/gs)].flatMap(([, code, decoded = '']) =>
    code === undefined ? [...encoder.encode(decoded)] : [Number(code)],
  );

const escape = (text: string): string =>
  text.replaceAll(new RegExp(invisible, 'gu'), (letter) =>
    [...encoder.encode(letter)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
  );
