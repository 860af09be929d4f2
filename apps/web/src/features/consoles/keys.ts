export type Shortcut = 'copy' | 'paste' | 'search' | 'new' | 'close' | 'previous' | 'next' | 'leave';
type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

const ctrlShiftShortcuts: Readonly<Record<string, Shortcut>> = {
  c: 'copy',
  v: 'paste',
  f: 'search',
  arrowleft: 'previous',
  arrowright: 'next',
  arrowup: 'leave',
};
const altShortcuts: Readonly<Record<string, Shortcut>> = { t: 'new', w: 'close' };

/** The shortcut of a key, by its letter in the current keyboard layout; undefined for a key that goes to the shell. */
export function matchShortcut({ key, ctrlKey, shiftKey, altKey, metaKey }: Key): Shortcut | undefined {
  if (metaKey) return undefined;
  const letter = key.toLowerCase();
  if (ctrlKey && shiftKey && !altKey) return ctrlShiftShortcuts[letter];
  if (altKey && !ctrlKey && !shiftKey) return altShortcuts[letter];
  return undefined;
}

/** The control character of a letter, for keyboards without `Ctrl`. */
export function toControlCharacter(typed: string): string {
  const code = typed.length === 1 ? typed.toUpperCase().charCodeAt(0) : 0;
  if (typed === ' ') return '\0';
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : typed;
}

export type Arrow = 'up' | 'down' | 'left' | 'right';
const letters: Record<Arrow, string> = { up: 'A', down: 'B', right: 'C', left: 'D' };

/** Full-screen programs may switch to application cursor keys. */
export const arrowKey = (arrow: Arrow, isApplication: boolean): string =>
  `\u001b${isApplication ? 'O' : '['}${letters[arrow]}`;
