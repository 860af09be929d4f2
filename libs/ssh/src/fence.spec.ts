import { describe, expect, it } from '@jest/globals';
import { Fence } from './fence';
import { inShell } from './script';

function fenced(text: (word: string) => string, { size = 1_000_000, limit = 1_000 } = {}) {
  const fence = new Fence(limit);
  const bytes = Buffer.from(text(fence.opening.word));
  for (let place = 0; place < bytes.length; place += size) fence.add(bytes.subarray(place, place + size));
  const { bytes: inside, ...rest } = fence.content;
  return { ...rest, text: inside.toString(), wasReached: fence.opening.wasReached, noise: fence.opening.noise };
}

describe('a fence', () => {
  const output = 'a\nb\u0000é\n';
  const noisy = (word: string) => `motd\n#x ${word}\n\n${word}\n${output}\n${word} 7\nbye`;

  it.each([1, 2, 5, 33, 1_000])('takes out what is inside it, in pieces of %i bytes', (size) => {
    expect(fenced(noisy, { size })).toMatchObject({ text: output, code: 7, dropped: 0, wasReached: true });
  });

  it('may be the first thing that comes, and enclose nothing', () => {
    expect(fenced((word) => `${word}\n\n${word} 0\n`)).toMatchObject({ text: '', code: 0 });
  });

  it('knows no exit code of an output that is cut', () => {
    expect(fenced((word) => `\n${word}\nab\n${word} 0`)).toMatchObject({ code: null, dropped: 0 });
    expect(fenced((word) => `\n${word}\nab`)).toMatchObject({ text: 'ab', code: null });
  });

  it('keeps no more than asked, and counts the rest', () => {
    const long = (word: string) => `\n${word}\n${'x'.repeat(5_000)}\n${word} 0\n`;
    expect(fenced(long, { size: 700 })).toMatchObject({ text: 'x'.repeat(1_000), code: null });
    expect(fenced(long, { limit: 5_000, size: 700 })).toMatchObject({ text: 'x'.repeat(5_000), code: 0, dropped: 0 });
  });

  it('tells what was printed instead of it', () => {
    expect(fenced(() => 'This account is not available.\n')).toMatchObject({
      wasReached: false,
      noise: 'This account is not available.\n',
    });
    expect(fenced(() => 'x'.repeat(1_000_000)).noise).toHaveLength(2_000);
  });
});

describe('a command for any login shell', () => {
  it.each(["it's", 'a\\b', 'echo !', 'two\nlines', 'é', 'a\tb'])('refuses %j', (script) => {
    expect(() => inShell(script)).toThrow('not the same');
  });
});
