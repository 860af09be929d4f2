import { breakingChanges } from './breaking-changes';
import { buildDocument } from './document';
import type { Document } from './document-types';

/** The document as `docs/openapi.json` has it. */
export const recordedText = (): string => `${JSON.stringify(buildDocument(), null, 2)}\n`;

/** The lines of `docs/api-changes.md` that name what was broken on purpose: `- 2026-11-28, REASON | BREAK`. */
const namedBreak = /^- \d{4}-\d{2}-\d{2}, .+? \| (.+)$/;

const namedBreaks = (changes: string): Set<string> =>
  new Set(changes.split('\n').flatMap((line) => namedBreak.exec(line)?.[1] ?? []));

/** What breaks the callers of an earlier text of the document and is not named in `docs/api-changes.md`. */
export function unnamedBreaks(earlier: string, now: Document, changes: string): string[] {
  const named = namedBreaks(changes);
  return breakingChanges(JSON.parse(earlier) as Document, now).filter((each) => !named.has(each));
}

/** The list with these breaks, each on a line of its own that a reader and `unnamedBreaks` understand. */
export const withBreaks = (changes: string, breaks: readonly string[], reason: string, day: string): string =>
  `${changes.trimEnd()}\n${breaks.map((each) => `- ${day}, ${reason} | ${each}\n`).join('')}`;
