import { describe, expect, it } from 'vitest';
import { InputBuffer } from './InputBuffer';

const bytes = (text: string) => new TextEncoder().encode(text);
const readFrom = (buffer: InputBuffer, offset: number, length = 100) =>
  new TextDecoder().decode(buffer.read(offset, length));

describe('the typed input', () => {
  it('is read from any offset, in parts', () => {
    const buffer = new InputBuffer(100);
    buffer.push(bytes('abc'));
    buffer.push(bytes('def'));
    expect([
      readFrom(buffer, 0),
      readFrom(buffer, 1),
      readFrom(buffer, 3),
      readFrom(buffer, 4, 1),
      readFrom(buffer, 6),
    ]).toEqual(['abc', 'bc', 'def', 'e', '']);
  });

  it('is discarded up to the offset that the shell received', () => {
    const buffer = new InputBuffer(100);
    buffer.push(bytes('abc'));
    buffer.push(bytes('def'));
    expect(buffer.discard(4)).toBe(0);
    expect(readFrom(buffer, 4)).toBe('ef');
    expect(buffer.discard(9)).toBe(0);
    expect(buffer.end).toBe(9);
  });

  it('is limited in size, and reports the missing bytes', () => {
    const buffer = new InputBuffer(4);
    for (const part of ['abc', 'def', 'g']) buffer.push(bytes(part));
    expect(buffer.discard(1)).toBe(2);
    expect(readFrom(buffer, 3)).toBe('def');
  });

  it('is kept beyond the limit until it was sent', () => {
    const buffer = new InputBuffer(4);
    for (const part of ['abc', 'def', 'g']) buffer.push(bytes(part), 3);
    expect(readFrom(buffer, 3)).toBe('def');
    buffer.push(bytes('h'), 2);
    buffer.push(bytes('i'), 2);
    expect(buffer.discard(3)).toBe(0);
    expect(readFrom(buffer, 3)).toBe('def');
  });

  it('is empty at an offset that was discarded', () => {
    const buffer = new InputBuffer(4);
    for (const part of ['abc', 'def']) buffer.push(bytes(part));
    expect(readFrom(buffer, 1)).toBe('');
  });

  it('moves behind the input that the shell had received before', () => {
    const buffer = new InputBuffer(100);
    buffer.push(bytes('abc'));
    buffer.moveTo(40);
    expect(buffer.end).toBe(43);
    expect(readFrom(buffer, 40)).toBe('abc');
  });
});
