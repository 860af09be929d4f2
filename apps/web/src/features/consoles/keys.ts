export type Deed = 'copy' | 'paste' | 'search' | 'new' | 'close' | 'previous' | 'next' | 'leave';
type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

const withCtrlShift: Readonly<Record<string, Deed>> = {
  c: 'copy',
  v: 'paste',
  f: 'search',
  arrowleft: 'previous',
  arrowright: 'next',
  arrowup: 'leave',
};
const withAlt: Readonly<Record<string, Deed>> = { t: 'new', w: 'close' };

/** What a key does here instead of being typed. By its letter, wherever that is on the keyboard. */
export function deedOf({ key, ctrlKey, shiftKey, altKey, metaKey }: Key): Deed | undefined {
  if (metaKey) return undefined;
  const letter = key.toLowerCase();
  if (ctrlKey && shiftKey && !altKey) return withCtrlShift[letter];
  if (altKey && !ctrlKey && !shiftKey) return withAlt[letter];
  return undefined;
}

/** `Ctrl` and a letter, where the keyboard has no `Ctrl`. */
export function withCtrl(typed: string): string {
  const code = typed.length === 1 ? typed.toUpperCase().charCodeAt(0) : 0;
  if (typed === ' ') return '\0';
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : typed;
}

export type Arrow = 'up' | 'down' | 'left' | 'right';
const letters: Record<Arrow, string> = { up: 'A', down: 'B', right: 'C', left: 'D' };

/** Full-screen programs ask for another form. */
export const arrowKey = (arrow: Arrow, isApplication: boolean): string =>
  `\u001b${isApplication ? 'O' : '['}${letters[arrow]}`;
