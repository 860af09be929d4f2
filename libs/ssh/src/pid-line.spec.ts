import { expect, it } from 'vitest';
import { PidLine } from './pid-line';

function read(text: string, size: number) {
  let rest = '';
  const line = new PidLine((bytes) => (rest += bytes.toString()));
  const bytes = Buffer.from(text);
  for (let index = 0; index < bytes.length; index += size) line.add(bytes.subarray(index, index + size));
  line.end();
  return { rest, pid: line.pid };
}

it.each([1, 3, 1_000])('removes the pid line from pieces of %i bytes', (size) => {
  expect(read('vigie-pid:12\nalas\n', size)).toEqual({ rest: 'alas\n', pid: 12 });
  expect(read('é noise\nvigie-pid:12\nalas\nvigie-pid:13\n', size)).toEqual({
    rest: 'é noise\nalas\nvigie-pid:13\n',
    pid: 12,
  });
  expect(read('alas\nxvigie-pid:1\nvigie-pid:\n', size)).toEqual({
    rest: 'alas\nxvigie-pid:1\nvigie-pid:\n',
    pid: undefined,
  });
});

it('stops searching after much noise and loses nothing', () => {
  const noise = 'x'.repeat(100_000);
  expect(read(`${noise}\nvigie-pid:12\n`, 1_000)).toEqual({ rest: `${noise}\nvigie-pid:12\n`, pid: undefined });
});
