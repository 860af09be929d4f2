import { describe, expect, it } from 'vitest';
import { SshFailure } from './failure';
import { FramedOutput } from './framed-output';
import { MemoryBudget } from './memory-budget';
import { inShell } from './script';

function frame(text: (word: string) => string, { size = 1_000_000, limit = 1_000 } = {}) {
  const output = new FramedOutput(limit);
  const bytes = Buffer.from(text(output.marker.word));
  for (let index = 0; index < bytes.length; index += size) output.add(bytes.subarray(index, index + size));
  const { bytes: inside, ...rest } = output.content;
  return {
    ...rest,
    text: inside.toString(),
    wasReached: output.marker.wasReached,
    noise: output.marker.noise,
  };
}

describe('a framed output', () => {
  const output = 'a\nb\u0000é\n';
  const noisy = (word: string) => `motd\n#x ${word}\n\n${word}\n${output}\n${word} 7\nbye`;

  it.each([1, 2, 5, 33, 1_000])('is extracted from pieces of %i bytes', (size) => {
    expect(frame(noisy, { size })).toMatchObject({ text: output, code: 7, dropped: 0, wasReached: true });
  });

  it('may come first and be empty', () => {
    expect(frame((word) => `${word}\n\n${word} 0\n`)).toMatchObject({ text: '', code: 0 });
  });

  it('has no exit code when it is cut', () => {
    expect(frame((word) => `\n${word}\nab\n${word} 0`)).toMatchObject({ code: null, dropped: 0 });
    expect(frame((word) => `\n${word}\nab`)).toMatchObject({ text: 'ab', code: null });
  });

  it('keeps no more than the limit and counts the rest', () => {
    const long = (word: string) => `\n${word}\n${'x'.repeat(5_000)}\n${word} 0\n`;
    expect(frame(long, { size: 700 })).toMatchObject({ text: 'x'.repeat(1_000), code: null });
    expect(frame(long, { limit: 5_000, size: 700 })).toMatchObject({ text: 'x'.repeat(5_000), code: 0, dropped: 0 });
  });

  it('is discarded for others when it is the largest, and fails', () => {
    const budget = new MemoryBudget(100_000);
    const [loud, calm] = [new FramedOutput(80_000, budget), new FramedOutput(80_000, budget)];
    for (const each of [loud, calm]) each.add(Buffer.from(`${each.marker.word}\n`));
    loud.add(Buffer.alloc(70_000));
    calm.add(Buffer.alloc(40_000));
    expect(() => loud.content).toThrow(SshFailure);
    expect(() => loud.add(Buffer.alloc(1))).toThrow(SshFailure);
    expect(calm.content.bytes).toHaveLength(40_000);
    calm.close();
    const next = new FramedOutput(100_000, budget);
    next.add(Buffer.from(`${next.marker.word}\n${'x'.repeat(99_000)}`));
    expect(next.content.bytes).toHaveLength(99_000);
  });

  it('returns what was printed instead of it', () => {
    expect(frame(() => 'This account is not available.\n')).toMatchObject({
      wasReached: false,
      noise: 'This account is not available.\n',
    });
    expect(frame(() => 'x'.repeat(1_000_000)).noise).toHaveLength(2_000);
  });
});

describe('a command for any login shell', () => {
  it.each(["it's", 'a\\b', 'echo !', 'two\nlines', 'é', 'a\tb'])('refuses %j', (script) => {
    expect(() => inShell(script)).toThrow('not the same');
  });
});
