import { expect, it } from 'vitest';
import { CommandOutput } from './commands';

const word = 'a'.repeat(32);

function read(...lines: string[]): { lines: string[]; output: CommandOutput } {
  const shown: string[] = [];
  const output = new CommandOutput('id', (each) => shown.push(...each));
  for (const line of [`vigie 1 ${word}`, ...lines]) output.read(line);
  return { lines: shown, output };
}

it.each([
  ['a\r', 'a'],
  ['a\rb\r\r', 'b'],
  ['\r', ''],
  ['\r\r', ''],
  ['\ra', 'a'],
  ['\u001b[31ma\u001b[0m', 'a'],
  ['\u001b]0;title\u0007a', 'a'],
])('shows what a terminal would show of %j', (line, shown) => {
  expect(read(line).lines).toEqual([shown]);
});

it.each([
  ['carriage returns', `${'\r'.repeat(200_000)}x`],
  ['titles without an end', '\u001b]'.repeat(100_000)],
  ['a title without an end', `\u001b]${'x'.repeat(200_000)}`],
  ['colours without an end', '\u001b[0'.repeat(70_000)],
  ['a colour without an end', `\u001b[${'0'.repeat(100_000)}${' '.repeat(100_000)}\u0001`],
  ['escapes', '\u001b'.repeat(200_000)],
])('does not hang on many %s', (_, line) => {
  const before = performance.now();
  read(line);
  // What looks at them again for each of them takes many seconds.
  expect(performance.now() - before).toBeLessThan(2_000);
});

it('keeps a bounded number of lines, and counts the bytes of all others', () => {
  const { lines, output } = read(...Array.from({ length: 7_000 }, () => 'é'), `${word} {"is":"rest","bytes":10}`);
  expect([lines.length, output.restBytes]).toEqual([5_000, 2_000 * 3 + 10]);
  const empty = read(...Array.from({ length: 50_000 }, () => ''));
  expect([empty.lines.length, empty.output.restBytes]).toEqual([5_000, 44_999]);
});
