import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from './commands';
import { globalOptions } from './options';
import { commandsInMarkdown, helpOfAll, helpOfOne } from './help';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../docs/${path}`, import.meta.url)), 'utf8');

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

  it('is the list of docs/cli.md, which also shows the script that is tested', () => {
    expect(read('cli.md')).toContain(commandsInMarkdown(commands, 'en'));
    expect(read('cli.md')).toContain(read('examples/update-with-way-back.sh'));
  });
});
