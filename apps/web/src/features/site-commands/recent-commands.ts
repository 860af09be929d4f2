import type { CommandKind } from '@vigie/contracts/site-commands';
import { readLocal, writeLocal } from '../../ui/storage';

export type WrittenCommand = { kind: CommandKind; command: string };

const key = 'vigie.commands';
const maxRecent = 8;

const isWritten = (value: unknown): value is WrittenCommand =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'wp' || value.kind === 'shell') &&
  'command' in value &&
  typeof value.command === 'string';

/** The last commands of this browser, the newest first. A logout forgets them. */
export function readRecent(): WrittenCommand[] {
  try {
    const stored: unknown = JSON.parse(readLocal(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isWritten).slice(0, maxRecent) : [];
  } catch {
    return [];
  }
}

export function keepRecent({ kind, command }: WrittenCommand): void {
  const others = readRecent().filter((each) => each.kind !== kind || each.command !== command);
  writeLocal(key, JSON.stringify([{ kind, command }, ...others].slice(0, maxRecent)));
}
