import { describe, expect, it } from 'vitest';
import { alignedTable, fit, tabbedTable, widthOf } from './table';

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['été', 3],
    ['e\u0301te\u0301', 3],
    ['日本', 4],
    ['🎉', 2],
    ['👩‍🚀', 2],
    ['한글', 4],
  ])('%s', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('is never passed by what is cut', () => {
    expect(fit('boulangerie', 6)).toBe('boula…');
    expect(widthOf(fit('日本語日本語', 6))).toBeLessThanOrEqual(6);
    expect(fit('court', 6)).toBe('court');
  });
});

describe('a table', () => {
  const rows = [
    ['日本', 'https://exemple.fr/', 3],
    ['Café', null, 12],
  ] as const;

  it('aligns its columns', () => {
    expect(alignedTable(['NOM', 'ADRESSE', 'N'], rows, 80)).toEqual([
      'NOM   ADRESSE              N',
      '日本  https://exemple.fr/  3',
      'Café                       12',
    ]);
  });

  it('takes what does not fit from its widest column', () => {
    const lines = alignedTable(['NOM', 'ADRESSE', 'N'], rows, 20);
    expect(lines.every((line) => widthOf(line) <= 20)).toBe(true);
    expect(lines[1]).toContain('…');
    expect(lines[2]).toContain('12');
  });

  it('never cuts what a person copies, and has no header without words', () => {
    const id = '01a224f3-25e2-7176-bf61-f3d4c81773e0';
    expect(alignedTable(['ID', 'NOM'], [[id, 'Boulangerie']], 44)[1]).toBe(`${id}  Boula…`);
    expect(alignedTable(['', ''], [['Nom', 'Café']], 44)).toEqual(['Nom  Café']);
  });

  it('gives programs whole values, one line each, whatever they hold', () => {
    expect(tabbedTable([['a\tb\nc', 'x'.repeat(200), '\u001b[2J']])).toEqual([`a b c\t${'x'.repeat(200)}\t`]);
  });
});
