/** C0 and C1 control characters except tab and line ends, and the marks that change the text direction. */
// oxlint-disable-next-line no-control-regex
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const lineEnds = /\r\n|\r|\n/g;

/** Several lines would be executed one by one, and invisible characters may hide commands. */
export const needsConfirmation = (text: string): boolean => text.search(lineEnds) >= 0 || text.search(invisible) >= 0;

export const cleanPaste = (text: string): string => text.replace(invisible, '');

export const countInvisible = (text: string): number => text.match(invisible)?.length ?? 0;

/** A trailing line end adds no line. */
export const countLines = (text: string): number => text.replace(/(?:\r\n|\r|\n)$/, '').split(lineEnds).length;

type Piece = { text: string; isMark: boolean };

function visibleMark(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return `^${String.fromCharCode(0x40 + code)}`;
  if (code === 0x7f) return '^?';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Splits a text into plain parts and visible marks for control characters. */
export function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const normal = text.replace(lineEnds, '\n');
  for (const match of normal.matchAll(invisible)) {
    if (match.index > end) pieces.push({ text: normal.slice(end, match.index), isMark: false });
    pieces.push({ text: visibleMark(match[0]), isMark: true });
    end = match.index + match[0].length;
  }
  if (end < normal.length) pieces.push({ text: normal.slice(end), isMark: false });
  return pieces;
}

/** Normalises a link as the browser does, because the text that a host prints may look like another address. */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { href, protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
