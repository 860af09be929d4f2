import { describe, expect, it } from 'vitest';
import { arrowKey, matchShortcut, toControlCharacter } from './keys';

const press = (keys: string) => {
  const parts = keys.split('+');
  const key = parts.pop() ?? '';
  const has = (name: string) => parts.includes(name);
  return matchShortcut({ key, ctrlKey: has('Ctrl'), shiftKey: has('Shift'), altKey: has('Alt'), metaKey: has('Meta') });
};

describe('the keys of a console', () => {
  it.each([
    ['Ctrl+Shift+C', 'copy'],
    ['Ctrl+Shift+V', 'paste'],
    ['Ctrl+Shift+F', 'search'],
    ['Ctrl+Shift+ArrowLeft', 'previous'],
    ['Ctrl+Shift+ArrowRight', 'next'],
    ['Ctrl+Shift+ArrowUp', 'leave'],
    ['Alt+t', 'new'],
    ['Alt+w', 'close'],
  ])('%s means %s', (keys, shortcut) => {
    expect(press(keys)).toBe(shortcut);
  });

  it.each(['Ctrl+k', 'Ctrl+r', 'Ctrl+w', 'Ctrl+c', 'Ctrl+v', 'Alt+b', 'Alt+Shift+T', 'Ctrl+Alt+t', 'Escape', 'Tab'])(
    '%s belongs to the shell',
    (keys) => {
      expect(press(keys)).toBeUndefined();
    },
  );

  it('turn a letter into a control character', () => {
    expect(['c', 'C', '[', ' ', '1', 'é', 'ab'].map(toControlCharacter)).toEqual([
      '\u0003',
      '\u0003',
      '\u001b',
      '\0',
      '1',
      'é',
      'ab',
    ]);
  });

  it('send arrows in the mode of the program', () => {
    expect([arrowKey('up', false), arrowKey('left', true)]).toEqual(['\u001b[A', '\u001bOD']);
  });
});
