import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands, globalOptions } from './commands';
import { commandsInMarkdown, helpOfAll, helpOfOne } from './help';

describe('the help', () => {
  it('names every command, every option of one, and the exit codes', () => {
    const all = helpOfAll(commands, globalOptions, 'fr');
    for (const { name } of commands) expect(all).toContain(`  ${name}`);
    expect(all).toContain('4 issue inconnue');
    const [update] = commands.filter(({ name }) => name === 'update');
    if (!update) throw new Error('no such command');
    for (const { name } of [...update.options, ...globalOptions])
      expect(helpOfOne(update, globalOptions, 'en')).toContain(`--${name}`);
  });

  it('is the list of docs/cli.md', () => {
    const page = readFileSync(fileURLToPath(new URL('../../../docs/cli.md', import.meta.url)), 'utf8');
    expect(page).toContain(commandsInMarkdown(commands, 'en'));
  });
});
