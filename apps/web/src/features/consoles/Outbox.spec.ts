import { describe, expect, it } from 'vitest';
import { Outbox } from './Outbox';

const bytes = (text: string) => new TextEncoder().encode(text);
const from = (outbox: Outbox, place: number, length = 100) => new TextDecoder().decode(outbox.read(place, length));

describe('the typed input', () => {
  it('is read from any offset, in parts', () => {
    const outbox = new Outbox(100);
    outbox.push(bytes('abc'));
    outbox.push(bytes('def'));
    expect([from(outbox, 0), from(outbox, 1), from(outbox, 3), from(outbox, 4, 1), from(outbox, 6)]).toEqual([
      'abc',
      'bc',
      'def',
      'e',
      '',
    ]);
  });

  it('is discarded up to the offset that the shell received', () => {
    const outbox = new Outbox(100);
    outbox.push(bytes('abc'));
    outbox.push(bytes('def'));
    expect(outbox.forget(4)).toBe(0);
    expect(from(outbox, 4)).toBe('ef');
    expect(outbox.forget(9)).toBe(0);
    expect(outbox.end).toBe(9);
  });

  it('is limited in size, and reports the missing bytes', () => {
    const outbox = new Outbox(4);
    for (const part of ['abc', 'def', 'g']) outbox.push(bytes(part));
    expect(outbox.forget(1)).toBe(2);
    expect(from(outbox, 3)).toBe('def');
  });

  it('is kept beyond the limit until it was sent', () => {
    const outbox = new Outbox(4);
    for (const part of ['abc', 'def', 'g']) outbox.push(bytes(part), 3);
    expect(from(outbox, 3)).toBe('def');
    outbox.push(bytes('h'), 2);
    outbox.push(bytes('i'), 2);
    expect(outbox.forget(3)).toBe(0);
    expect(from(outbox, 3)).toBe('def');
  });

  it('is empty at an offset that was discarded', () => {
    const outbox = new Outbox(4);
    for (const part of ['abc', 'def']) outbox.push(bytes(part));
    expect(from(outbox, 1)).toBe('');
  });

  it('moves behind the input that the shell had received before', () => {
    const outbox = new Outbox(100);
    outbox.push(bytes('abc'));
    outbox.moveTo(40);
    expect(outbox.end).toBe(43);
    expect(from(outbox, 40)).toBe('abc');
  });
});
