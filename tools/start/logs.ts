import { copyFileSync, mkdirSync, openSync, readSync, closeSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const largest = 20 * 1024 * 1024;
const tail = 64 * 1024;

const LogLine = z.object({
  level: z.number().default(0),
  msg: z.string().optional(),
  err: z.object({ message: z.string().optional() }).optional(),
});

export const logFile = (home: string, name: string) => join(home, 'logs', `${name}.log`);

export const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Opens a log for a child to write to directly, so that its lines cost the starter nothing. */
export function openLog(home: string, name: string): number {
  const file = logFile(home, name);
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 });
  if (sizeOf(file) > largest) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/** While a child has it open a log is copied and emptied: it is opened for appending, so the child goes on at its start. */
export function rotateOpenLog(home: string, name: string): void {
  const file = logFile(home, name);
  if (sizeOf(file) <= largest) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/** The end of a log from a byte on, as lines. */
export function linesSince(file: string, from: number): string[] {
  const size = sizeOf(file);
  const start = Math.max(size < from ? 0 : from, size - tail);
  const bytes = Buffer.alloc(size - start);
  if (bytes.length === 0) return [];
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, bytes.length, start);
  } finally {
    closeSync(descriptor);
  }
  return bytes
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** What a process said last of what went wrong: its last error, else its last line. */
export function lastError(lines: readonly string[]): string | undefined {
  const texts = lines.map(read);
  return (texts.findLast((line) => line.isError) ?? texts.at(-1))?.text;
}

/** What a process wrote for a person, outside of its JSON lines. */
export function plainText(lines: readonly string[]): string {
  return lines.filter((line) => !line.startsWith('{')).join('\n');
}

function read(line: string): { text: string; isError: boolean } {
  try {
    const { level, msg, err } = LogLine.parse(JSON.parse(line));
    const text = [msg, err?.message].filter((part, index, all) => part && all.indexOf(part) === index).join(' – ');
    return { text: text || line, isError: level >= 50 };
  } catch {
    return { text: line.trim(), isError: /\b(FATAL|PANIC|ERROR|\[FTL\]|\[ERR\]|\w*Error:)/.test(line) };
  }
}
