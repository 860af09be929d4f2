import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commands } from './commands';
import { globalOptions } from './options';
import { completionFor } from './completion';

/** Asks a real bash what it would complete, without what the bash 3 of macOS lacks. */
function complete(...words: string[]): string[] {
  const script = `enable -n mapfile readarray; ${completionFor('bash', commands, globalOptions, 'en')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _vigie; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

describe('the completion of bash', () => {
  it('offers the commands, then their second words', () => {
    expect(complete('vigie', 'si')).toEqual(['sites', 'site']);
    expect(complete('vigie', 'dns', '')).toEqual(['zones', 'records', 'add', 'set', 'delete']);
  });

  it('offers the options of the command alone', () => {
    expect(complete('vigie', 'update', 'shop', '--p')).toEqual(['--plugins', '--plan', '--patience']);
    expect(complete('vigie', 'jobs', 'follow', 'x', '--')).toContain('--patience');
    expect(complete('vigie', 'jobs', 'follow', 'x', '--')).not.toContain('--state');
  });
});

it.each(['zsh', 'fish'])('%s gets every command and its options', (shell) => {
  const script = completionFor(shell, commands, globalOptions, 'fr');
  for (const { name } of commands) expect(script).toContain(name.split(' ').at(-1));
  expect(script).toMatch(/with-cache/);
});

it('knows no other shell', () => {
  expect(() => completionFor('csh', commands, globalOptions, 'en')).toThrow(
    expect.objectContaining({ ending: 'usage' }),
  );
});
