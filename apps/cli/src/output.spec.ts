import { describe, expect, it } from 'vitest';
import { Output } from './output';

const hostile = 'Pirate\u001b[2J\u001b]52;c;aGVsbG8=\u0007\u202e';

function record({ isTTY = false, isJson = false, mayRedraw = true } = {}) {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({
    isTTY,
    columns: 40,
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { written, output: new Output(stream('out'), stream('err'), { isJson, mayRedraw }) };
}

describe('what is printed', () => {
  it.each([true, false])('holds no escape sequence of the server, at a terminal: %s', (isTTY) => {
    const { written, output } = record({ isTTY, mayRedraw: false });
    output.line(hostile);
    output.table([''], [[hostile]]);
    output.tableById(['ID', 'NOM'], [['1', hostile]]);
    output.json({ hostile });
    output.note(hostile);
    output.progress(hostile);
    for (const sign of ['\u001b', '\u0007', '\u202e']) expect(written.out + written.err).not.toContain(sign);
  });

  it('is aligned for a person, with a header and without ids, and tabbed for a program', () => {
    const rows = [['1', 'Café', 'ok']];
    const person = record({ isTTY: true });
    person.output.tableById(['ID', 'NOM', 'ÉTAT'], rows);
    expect(person.written.out).toBe('NOM   ÉTAT\nCafé  ok\n');
    const program = record();
    program.output.tableById(['ID', 'NOM', 'ÉTAT'], rows);
    expect(program.written.out).toBe('1\tCafé\tok\n');
  });
});

describe('progress', () => {
  it('is one line that the next replaces, and nothing stays of it', () => {
    const { written, output } = record({ isTTY: true });
    output.progress('un');
    output.progress('d'.repeat(80));
    output.line('fini');
    expect(written.err).toBe(`\r\u001b[2Kun\r\u001b[2K${'d'.repeat(38)}…\r\u001b[2K`);
  });

  it.each([
    ['in a pipe', { isTTY: false }],
    ['with NO_COLOR', { isTTY: true, mayRedraw: false }],
  ])('is plain lines %s', (_, settings) => {
    const { written, output } = record(settings);
    output.progress('un');
    output.progress('deux');
    expect(written.err).toBe('un\ndeux\n');
  });

  it('and notes are spared to a program that asked for JSON', () => {
    const { written, output } = record({ isJson: true });
    output.progress('un');
    output.note('deux');
    expect(written.err).toBe('');
  });
});
