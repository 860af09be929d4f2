import { describe, expect, it } from 'vitest';
import { cleanPaste, countLines, countInvisible, needsConfirmation, splitPieces } from './paste';

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
