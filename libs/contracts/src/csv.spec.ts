import { describe, expect, it } from 'vitest';
import { byteOrderMark, csvLine, readCsv } from './csv';

describe('a CSV line', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '|cmd', '\t=1', '  =1', '\r=1', '\n=cmd', "'=1", "''-1"])(
    'disarms the formula %j',
    (text) => {
      expect(csvLine([text])).toBe(`"'${text}"\r\n`);
    },
  );

  it('keeps quotes, separators and line ends inside their field', () => {
    expect(csvLine(['un "mot"; deux', 'une\nligne', 'É\0'])).toBe('"un ""mot""; deux";"une\nligne";"É "\r\n');
  });
});

describe('a CSV file', () => {
  it.each([';', ',', '\t'])('is read with %j between its fields', (separator) => {
    const file = [`nom${separator}url`, `"a;b,c\td"${separator}https://a.fr`, ''].join('\r\n');
    expect(readCsv(byteOrderMark + file)).toEqual({
      rows: [
        ['nom', 'url'],
        ['a;b,c\td', 'https://a.fr'],
      ],
    });
  });

  it.each<[string, string[][]]>([
    ['', []],
    ['a', [['a']]],
    ['a;', [['a', '']]],
    ['a\nb\r\nc\rd', [['a'], ['b'], ['c'], ['d']]],
    ['a\n\nb\n', [['a'], [''], ['b']]],
    ['"a"x;"";b"c"', [['ax', '', 'b"c"']]],
    ['"a""b\n"";"', [['a"b\n";']]],
    ["'nom;'=1;''=1", [["'nom", '=1', "'=1"]]],
  ])('%j is read as %j', (file, rows) => {
    expect(readCsv(file).rows).toEqual(rows);
  });

  it('is not read beyond quotes that never end', () => {
    expect(readCsv('a;b\n"c;d\ne')).toEqual({ rows: [['a', 'b']], unclosedRow: 2 });
  });

  it('is read as it was written, whatever its cells hold', () => {
    const pieces = [
      '"',
      '""',
      ';',
      ',',
      '\t',
      '\r',
      '\n',
      '\r\n',
      "'",
      "'=",
      '=',
      '+',
      '-',
      '@',
      '|',
      ' ',
      'é',
      '😀',
      'a',
    ];
    // A generator with a seed, so that a failure can be seen again.
    let seed = 42;
    const pick = (count: number) => (seed = (seed * 48_271) % 2_147_483_647) % count;
    const cell = () => Array.from({ length: pick(6) }, () => pieces[pick(pieces.length)]).join('');
    for (let round = 0; round < 2_000; round += 1) {
      const width = 2 + pick(4);
      const rows = Array.from({ length: 1 + pick(4) }, () => [...Array.from({ length: width }, cell), 'fin']);
      const file = byteOrderMark + rows.map(csvLine).join('');
      expect(readCsv(file)).toEqual({ rows });
    }
  });
});
