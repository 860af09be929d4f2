import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText, safeJson, safeJsonLine } from './escapes';

describe('a text of the server', () => {
  it.each([
    ['moves the cursor', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['writes the clipboard', 'a\u001b]52;c;aGVsbG8=\u0007b', 'ab'],
    ['sets a title that another sequence ends', 'a\u001b]0;title\u001b\\b', 'ab'],
    ['opens a sequence and never ends it', 'a\u001b]0;title', 'a'],
    ['uses the single bytes of the eighties', 'a\u009b31mb\u0085c', 'abc'],
    ['turns its direction', 'abc\u202ecba', 'abccba'],
    ['hides characters', 'a\u200bb\ufeff', 'ab'],
    ['overwrites its line', 'good\rbad', 'good bad'],
    ['has several lines', 'one\r\n  two\tthree', 'one two three'],
  ])('that %s stays a harmless line', (_, text, clean) => {
    expect(cleanLine(text)).toBe(clean);
  });

  it('keeps its accents, emoji and other scripts', () => {
    expect(cleanLine('Été 🎉 日本 👩‍🚀'.replace('\u200d', ''))).toBe('Été 🎉 日本 👩🚀');
  });

  it('keeps its lines and tabs where they count', () => {
    expect(cleanText('a\tb\r\n\u001b[31mc\u001b[0m\u0008\nd')).toBe('a\tb\nc\nd');
  });
});

describe('JSON', () => {
  it('keeps every text, with what acts on a terminal escaped', () => {
    const value = { name: 'a\u001b[2J\u009b1m\u202e\u2028é' };
    for (const json of [safeJson(value), safeJsonLine(value)]) {
      expect(JSON.parse(json)).toEqual(value);
      for (const unit of ['\u001b', '\u009b', '\u202e', '\u2028']) expect(json).not.toContain(unit);
      expect(json).toContain('é');
    }
    expect(safeJsonLine(value)).not.toContain('\n');
  });
});
