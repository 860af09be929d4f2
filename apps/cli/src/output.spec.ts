import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Output } from './output';

const hostile = 'Pirate\u001b[2J\u001b]52;c;aGVsbG8=\u0007\u202e';

function record({ isTTY = false, isJson = false, mayRedraw = true } = {}) {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({
    isTTY,
    columns: 40,
    on: () => undefined,
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

describe('a stream that nobody reads any more', () => {
  function breakable() {
    const written: string[] = [];
    const stream = Object.assign(new EventEmitter(), { write: (text: string) => written.push(text) });
    const fail = (code: string) => stream.emit('error', Object.assign(new Error(`${code}: write`), { code }));
    return { stream, written, fail };
  }

  it('ends neither the work nor what the other stream gets', () => {
    const [out, err] = [breakable(), breakable()];
    const output = new Output(out.stream, err.stream, { isJson: false, mayRedraw: false });
    output.line('un');
    expect(output.isRead).toBe(true);
    out.fail('EPIPE');
    output.line('deux');
    output.note('trois');
    expect([out.written, err.written, output.isRead]).toEqual([['un\n'], ['trois\n'], false]);
    err.fail('EPIPE');
    output.progress('quatre');
    expect(err.written).toHaveLength(1);
  });

  it('is complained about where the disk is full', () => {
    const [out, err] = [breakable(), breakable()];
    const output = new Output(out.stream, err.stream, { isJson: false, mayRedraw: false });
    out.fail('ENOSPC');
    output.line('un');
    expect([out.written, err.written]).toEqual([[], ['vigie\u00a0: ENOSPC: write\n']]);
  });
});
