import { describe, expect, it } from 'vitest';
import { splitWords, wpArguments } from './command-words';

describe('the words of a command', () => {
  it.each([
    ['plugin list', ['plugin', 'list']],
    ['  plugin\t list \n', ['plugin', 'list']],
    [`option update blogname "L’atelier d'Anne"`, ['option', 'update', 'blogname', `L’atelier d'Anne`]],
    [`a 'b "c" $d' e`, ['a', 'b "c" $d', 'e']],
    [`--format='%s'" x"y`, ['--format=%s xy']],
    [String.raw`a\ b \"c\" \\`, ['a b', '"c"', '\\']],
    [String.raw`"\$HOME \"x\" \n"`, [String.raw`$HOME "x" \n`]],
    ['one \\\n two', ['one', 'two']],
    [`'' ""`, ['', '']],
    ['$(id) `id` ; rm -rf * | cat > x &', ['$(id)', '`id`', ';', 'rm', '-rf', '*', '|', 'cat', '>', 'x', '&']],
    [`"a\nb"`, ['a\nb']],
    ['-x --y', ['-x', '--y']],
    ['', []],
  ])('of %j', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  it.each([`it's`, `"open`, `open\\`, `"\\"`, `'a' 'b`])('are none for an open quote: %s', (line) => {
    expect(splitWords(line)).toBeUndefined();
  });

  it('are read in a time that grows with the length', () => {
    expect(splitWords(`${'a"b"'.repeat(2_500)}'`)).toBeUndefined();
  });
});

it('leaves out a leading wp only', () => {
  expect(wpArguments('wp wp list')).toEqual(['wp', 'list']);
  expect(wpArguments('core version')).toEqual(['core', 'version']);
  expect(wpArguments('wp "')).toBeUndefined();
});
