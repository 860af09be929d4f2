import { copyFileSync, mkdirSync, openSync, readSync, closeSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const maxLogBytes = 20 * 1024 * 1024;
const tailBytes = 64 * 1024;

const LogLine = z.object({
  level: z.number().default(0),
  msg: z.string().optional(),
  err: z.object({ message: z.string().optional() }).optional(),
});

export const logFile = (home: string, name: string) => join(home, 'logs', `${name}.log`);

export const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Opens a log that a child writes to directly, so that its lines do not pass through the starter. */
export function openLog(home: string, name: string): number {
  const file = logFile(home, name);
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 });
  if (sizeOf(file) > maxLogBytes) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/** Copies and truncates a log that a child has open; the child appends, so it continues at the start of the file. */
export function rotateOpenLog(home: string, name: string): void {
  const file = logFile(home, name);
  if (sizeOf(file) <= maxLogBytes) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/** Reads the lines of a log after an offset, or the last ones if there are many. */
export function linesSince(file: string, offset: number): string[] {
  const size = sizeOf(file);
  const start = Math.max(size < offset ? 0 : offset, size - tailBytes);
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

/** Returns the last error in the lines, or else the last line. */
export function lastError(lines: readonly string[]): string | undefined {
  const texts = lines.map(parseLine);
  return (texts.findLast((line) => line.isError) ?? texts.at(-1))?.text;
}

/** Returns the lines that are not JSON, which a process writes for people. */
export function plainText(lines: readonly string[]): string {
  return lines.filter((line) => !line.startsWith('{')).join('\n');
}

function parseLine(line: string): { text: string; isError: boolean } {
  try {
    const { level, msg, err } = LogLine.parse(JSON.parse(line));
    const text = [msg, err?.message].filter((part, index, all) => part && all.indexOf(part) === index).join(' – ');
    return { text: text || line, isError: level >= 50 };
  } catch {
    return { text: line.trim(), isError: /\b(FATAL|PANIC|ERROR|\[FTL\]|\[ERR\]|\w*Error:)/.test(line) };
  }
}
