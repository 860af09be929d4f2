import { describe, expect, it } from 'vitest';
import { isLeftQuoted, readStoredText, readText } from './dns-text';

describe('the text of a TXT', () => {
  it('is decoded from the strings of a zone file, byte by byte', () => {
    const texts: [string, string][] = [
      ['v=spf1 -all', 'v=spf1 -all'],
      ['"v=spf1" " -all"', 'v=spf1 -all'],
      ['"\\195\\169t\\195" "\\169"', 'été'],
      ['"é\\"\\\\"', 'é"\\'],
      ['"\\"x\\""', '"x"'],
      ['"\\12" "3\\\\456"', '123\\456'],
      ['"a" b', '"a" b'],
      ['"\\239\\187\\191x"', '\ufeffx'],
      ['""', ''],
    ];
    for (const [text, decoded] of texts) expect([text, readText(text)]).toEqual([text, decoded]);
  });

  it('that is unreadable is refused in a form and stays quoted when stored', () => {
    const texts: [string, string][] = [
      ['"a\\000b"', '"a\\000b"'],
      ['"a\\010b"', '"a\\010b"'],
      ['"\\195"', '"\\195"'],
      ['"\\999"', '"\\999"'],
      ['a\u0000"b', '"a\\000\\"b"'],
      ['"a\nb" "c"', '"a\\010b" "c"'],
      ['"a\nb" "\ud800"', '"a\\010b" "\\239\\191\\189"'],
      ['a\0\ud800', '"a\\000\\239\\191\\189"'],
    ];
    for (const [text, stored] of texts) {
      expect([text, readText(text), readStoredText(text)]).toEqual([text, undefined, stored]);
      expect(isLeftQuoted(stored)).toBe(true);
    }
    expect(isLeftQuoted('"x"')).toBe(false);
  });
});
