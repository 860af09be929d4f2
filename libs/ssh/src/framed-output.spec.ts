import { describe, expect, it } from 'vitest';
import { SshFailure } from './failure';
import { FramedOutput } from './framed-output';
import { Room } from './room';
import { inShell } from './script';

function framed(text: (word: string) => string, { size = 1_000_000, limit = 1_000 } = {}) {
  const output = new FramedOutput(limit);
  const bytes = Buffer.from(text(output.opening.word));
  for (let place = 0; place < bytes.length; place += size) output.add(bytes.subarray(place, place + size));
  const { bytes: inside, ...rest } = output.content;
  return { ...rest, text: inside.toString(), wasReached: output.opening.wasReached, noise: output.opening.noise };
}

describe('the frame of an output', () => {
  const output = 'a\nb\u0000é\n';
  const noisy = (word: string) => `motd\n#x ${word}\n\n${word}\n${output}\n${word} 7\nbye`;

  it.each([1, 2, 5, 33, 1_000])('takes out what is inside it, in pieces of %i bytes', (size) => {
    expect(framed(noisy, { size })).toMatchObject({ text: output, code: 7, dropped: 0, wasReached: true });
  });

  it('may be the first thing that comes, and enclose nothing', () => {
    expect(framed((word) => `${word}\n\n${word} 0\n`)).toMatchObject({ text: '', code: 0 });
  });

  it('knows no exit code of an output that is cut', () => {
    expect(framed((word) => `\n${word}\nab\n${word} 0`)).toMatchObject({ code: null, dropped: 0 });
    expect(framed((word) => `\n${word}\nab`)).toMatchObject({ text: 'ab', code: null });
  });

  it('keeps no more than asked, and counts the rest', () => {
    const long = (word: string) => `\n${word}\n${'x'.repeat(5_000)}\n${word} 0\n`;
    expect(framed(long, { size: 700 })).toMatchObject({ text: 'x'.repeat(1_000), code: null });
    expect(framed(long, { limit: 5_000, size: 700 })).toMatchObject({ text: 'x'.repeat(5_000), code: 0, dropped: 0 });
  });

  it('gives way to the others where it keeps most, and says so', () => {
    const room = new Room(100_000);
    const [loud, calm] = [new FramedOutput(80_000, room), new FramedOutput(80_000, room)];
    for (const each of [loud, calm]) each.add(Buffer.from(`${each.opening.word}\n`));
    loud.add(Buffer.alloc(70_000));
    calm.add(Buffer.alloc(40_000));
    expect(() => loud.content).toThrow(SshFailure);
    expect(() => loud.add(Buffer.alloc(1))).toThrow(SshFailure);
    expect(calm.content.bytes).toHaveLength(40_000);
    calm.close();
    const next = new FramedOutput(100_000, room);
    next.add(Buffer.from(`${next.opening.word}\n${'x'.repeat(99_000)}`));
    expect(next.content.bytes).toHaveLength(99_000);
  });

  it('tells what was printed instead of it', () => {
    expect(framed(() => 'This account is not available.\n')).toMatchObject({
      wasReached: false,
      noise: 'This account is not available.\n',
    });
    expect(framed(() => 'x'.repeat(1_000_000)).noise).toHaveLength(2_000);
  });
});

describe('a command for any login shell', () => {
  it.each(["it's", 'a\\b', 'echo !', 'two\nlines', 'é', 'a\tb'])('refuses %j', (script) => {
    expect(() => inShell(script)).toThrow('not the same');
  });
});
