import { describe, expect, it } from 'vitest';
import { cleanPaste, countInvisible, countLines, needsConfirmation, safeLink, splitPieces } from './confirmations';

describe('a paste', () => {
  it.each(['ls\n', 'ls\rpwd', 'a\u001b[201~b', 'x\u202ey', '\u0003'])('needs a confirmation: %j', (text) => {
    expect(needsConfirmation(text)).toBe(true);
  });

  it.each(['ls -l', 'a\tb', 'café 😀'])('is pasted at once: %j', (text) => {
    expect(needsConfirmation(text)).toBe(false);
  });

  it('removes invisible characters, including the end of a bracketed paste', () => {
    expect(cleanPaste('a\u001b[201~b\u0000\u202e\tc\r\nd')).toBe('a[201~b\tc\r\nd');
    expect(countInvisible('a\u001b[201~b\u0000')).toBe(2);
  });

  it('shows invisible characters as marks', () => {
    expect(splitPieces('a\u001bb\r\nc\u009b\u007f')).toEqual([
      { text: 'a', isMark: false },
      { text: '^[', isMark: true },
      { text: 'b\nc', isMark: false },
      { text: 'U+009B', isMark: true },
      { text: '^?', isMark: true },
    ]);
  });

  it('counts the lines that would be executed', () => {
    expect([countLines('ls'), countLines('ls\n'), countLines('a\r\nb\rc\nd\n')]).toEqual([1, 1, 4]);
  });
});

describe('a link', () => {
  it.each([
    ['https://vitrine.fr/a?b#c', 'https://vitrine.fr/a?b#c'],
    ['HTTPS://vitrine.fr', 'https://vitrine.fr/'],
    ['https://\u0430pple.com/', 'https://xn--pple-43d.com/'],
    ['https://vitrine.fr\\@pirate.fr/', 'https://vitrine.fr/@pirate.fr/'],
    ['https://vitrine.fr/\u202egpj.exe', 'https://vitrine.fr/%E2%80%AEgpj.exe'],
    ['https://3232235777/', 'https://192.168.1.1/'],
  ])('shows the address that the browser opens: %j', (text, url) => {
    expect(safeLink(text)).toBe(url);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'vitrine.fr', 'https://', ''])('is refused: %j', (text) => {
    expect(safeLink(text)).toBeUndefined();
  });
});
