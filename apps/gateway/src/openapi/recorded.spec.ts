import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildDocument } from './document';
import { recordedText, unnamedBreaks, withBreaks } from './recorded';

const file = 'docs/openapi.json';
const changes = readFileSync('docs/api-changes.md', 'utf8');
const document = buildDocument();

it('is current: `npm run openapi` writes it anew', () => {
  const recorded = readFileSync(file, 'utf8');
  expect(unnamedBreaks(recorded, document, changes)).toEqual([]);
  const advice = recorded === recordedText() ? '' : 'docs/openapi.json is not current: run npm run openapi';
  expect(advice).toBe('');
});

const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** The document as it was committed last, and before that: a file that was rewritten by hand is compared with these. */
function earlierTexts(): string[] {
  const commits = git('log', '-2', '--format=%H', '--', file).stdout?.split('\n').filter(Boolean) ?? [];
  return ['HEAD', ...commits].flatMap((commit) => {
    const { status, stdout } = git('show', `${commit}:${file}`);
    return status === 0 ? [stdout] : [];
  });
}

it('breaks no program that uses an earlier one in the history, but for what docs/api-changes.md names', () => {
  for (const text of earlierTexts()) expect(unnamedBreaks(text, document, changes)).toEqual([]);
});

it('takes a break that is named, and no other', () => {
  const earlier = structuredClone(document);
  earlier.paths['/api/gone'] = structuredClone(document.paths['/api/groups'] ?? {});
  const text = JSON.stringify(earlier);
  const broken = ['GET /api/gone was removed', 'POST /api/gone was removed'];
  expect(unnamedBreaks(text, document, '# Changes\n')).toEqual(broken);
  const named = withBreaks('# Changes\n', broken.slice(0, 1), 'Nobody used it.', '2026-11-28');
  expect(named).toBe('# Changes\n- 2026-11-28, Nobody used it. | GET /api/gone was removed\n');
  expect(unnamedBreaks(text, document, named)).toEqual(broken.slice(1));
});
