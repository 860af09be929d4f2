import { describe, expect, it } from 'vitest';
import { nearest, parseArguments } from './arguments';
import { commands } from './commands';
import { globalOptions } from './options';
import { Failure } from './failures';

const parse = (line: string) => parseArguments(line.split(' ').filter(Boolean), commands, globalOptions);

function refusalOf(line: string): string {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof Failure && error.ending === 'usage') return error.words.en;
    throw error;
  }
  return 'no refusal';
}

describe('a command line', () => {
  it('has a command of one word or two, parameters and options in any order', () => {
    const parsed = parse('--json site show --lang=fr boulangerie.fr');
    expect(parsed.command?.name).toBe('site show');
    expect(parsed.parameters).toEqual(['boulangerie.fr']);
    expect([...parsed.options]).toEqual([
      ['json', ['']],
      ['lang', ['fr']],
    ]);
  });

  it('tells the longer of two commands that begin alike', () => {
    expect(parse('jobs').command?.name).toBe('jobs');
    expect(parse('jobs follow 1').command?.name).toBe('jobs follow');
  });

  it('takes the value of an option from the next word, even if it looks like an option', () => {
    expect(parse('update --group --plan --yes').options.get('group')).toEqual(['--plan']);
    expect(parse('update a --only x --only y,z').options.get('only')).toEqual(['x', 'y,z']);
  });

  it('leaves the command behind -- to the sites', () => {
    const { parameters, rest, options } = parse('run a b --yes -- ls --json -la');
    expect([parameters, rest, [...options.keys()]]).toEqual([['a', 'b'], ['ls', '--json', '-la'], ['yes']]);
  });

  it('takes names that begin with a dash behind --', () => {
    expect(parse('site show -- --name').parameters).toEqual(['--name']);
  });

  it.each([
    ['upate a', 'Unknown command: upate. Did you mean update?'],
    ['quatsch', 'Unknown command: quatsch'],
    ['site', 'Say which one: site show, site test'],
    ['sites --jsn', 'Unknown option: --jsn. Did you mean --json?'],
    ['sites --plan', 'Unknown option: --plan'],
    ['sites -x', 'Unknown option: -x'],
    ['update a --only', '--only needs a value.'],
    ['update a --yes=1', '--yes takes no value.'],
    ['update --group a --group b', '--group is given twice.'],
    ['site show', 'Usage: vigie site show SITE'],
    ['restore a b c', 'Usage: vigie restore SITE ARCHIVE'],
  ])('%s is refused', (line, sentence) => {
    expect(refusalOf(line)).toBe(sentence);
  });

  it.each(['', '--help', 'help', '-h', '--json'])('"%s" asks for help', (line) => {
    expect(parse(line).options.has('help')).toBe(true);
  });

  it('gives the help of one command', () => {
    expect(parse('help site show').command?.name).toBe('site show');
    expect(parse('update --help').command?.name).toBe('update');
  });
});

it('suggests only what is near', () => {
  expect(nearest('servres', ['sites', 'servers'])).toBe('servers');
  expect(nearest('xyz', ['sites', 'servers'])).toBeUndefined();
});
