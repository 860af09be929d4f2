import type { Command, Option } from './command';
import { usage } from './failures';

export type Parsed = {
  command: Command | undefined;
  parameters: string[];
  options: ReadonlyMap<string, readonly string[]>;
  /** What stands behind `--`. */
  rest: string[];
};

/** The number of letters to change, to find what a person meant to type. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of a.split('').entries()) {
    const line = [row + 1];
    for (const [column, other] of b.split('').entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      line.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    previous = line;
  }
  return previous.at(-1) ?? 0;
}

/** The choice that is nearest to a misspelt word. */
export function nearest(word: string, choices: readonly string[]): string | undefined {
  const ranked = choices.map((choice) => ({ choice, away: distance(word, choice) }));
  const [best] = ranked.toSorted((a, b) => a.away - b.away);
  return best && best.away <= Math.max(1, Math.floor(word.replace(/^-+/, '').length / 3)) ? best.choice : undefined;
}

function unknown(word: string, choices: readonly string[], fr: string, en: string) {
  const meant = nearest(word, choices);
  return usage(
    `${fr}\u00a0: ${word}${meant === undefined ? '' : `. Vouliez-vous dire ${meant}\u202f?`}`,
    `${en}: ${word}${meant === undefined ? '' : `. Did you mean ${meant}?`}`,
  );
}

/** Finds the command of the first word or two; none where the line has no word at all. */
function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const [first, second] = words;
  if (first === undefined) return undefined;
  const found = [`${first} ${second}`, first].map((name) => commands.find((each) => each.name === name)).find(Boolean);
  if (found) return found;
  const names = commands.map(({ name }) => name);
  const family = names.filter((name) => name.startsWith(`${first} `));
  if (family.length === 0) throw unknown(first, names, 'Commande inconnue', 'Unknown command');
  throw usage(`Dites lequel\u00a0: ${family.join(', ')}`, `Say which one: ${family.join(', ')}`);
}

type Token = { option: string; value: string | undefined } | { word: string };

/** Splits the line into options and words; an option takes its value with `=` or as the next word. */
function tokensOf(argv: readonly string[], optionsByName: ReadonlyMap<string, Option>): Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    const [, name, given] = /^--([^=]+)(?:=(.*))?$/s.exec(word === '-h' ? '--help' : word) ?? [];
    if (name === undefined) {
      if (/^-\D/.test(word)) throw unknown(word, [...optionsByName.keys()], 'Option inconnue', 'Unknown option');
      tokens.push({ word });
      continue;
    }
    const takesValue = optionsByName.get(name)?.value !== undefined;
    const value = takesValue && given === undefined ? argv[++index] : given;
    if (takesValue && value === undefined) throw usage(`--${name} attend une valeur.`, `--${name} needs a value.`);
    tokens.push({ option: name, value });
  }
  return tokens;
}

/** The options of the command alone, or of all commands to tell its words from the values of options. */
const byName = (options: readonly Option[]) => new Map(options.map((option) => [option.name, option]));

function collect(tokens: readonly Token[], optionsByName: ReadonlyMap<string, Option>) {
  const options = new Map<string, string[]>();
  for (const token of tokens) {
    if (!('option' in token)) continue;
    const { option: name, value } = token;
    const option = optionsByName.get(name);
    if (!option) {
      const written = [...optionsByName.keys()].map((each) => `--${each}`);
      throw unknown(`--${name}`, written, 'Option inconnue', 'Unknown option');
    }
    if (!option.value && value !== undefined)
      throw usage(`--${name} n’attend pas de valeur.`, `--${name} takes no value.`);
    const before = options.get(name) ?? [];
    if (before.length > 0 && !option.isMany) throw usage(`--${name} est donné deux fois.`, `--${name} is given twice.`);
    options.set(name, [...before, value ?? '']);
  }
  return options;
}

/** Reads a command line by the table of commands. */
export function parseArguments(
  argv: readonly string[],
  commands: readonly Command[],
  globalOptions: readonly Option[],
): Parsed {
  const end = argv.indexOf('--');
  const [line, rest] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)];
  const tokens = tokensOf(line, byName([...globalOptions, ...commands.flatMap(({ options }) => options)]));
  const words = tokens.flatMap((token) => ('word' in token ? [token.word] : []));
  const command = words[0] === 'help' ? findCommand(words.slice(1), commands) : findCommand(words, commands);
  const options = collect(tokens, byName([...globalOptions, ...(command?.options ?? [])]));
  if (words[0] === 'help' || options.has('help') || !command)
    return { command, parameters: [], options: new Map([...options, ['help', ['']]]), rest: [] };
  const named = words.slice(command.name.split(' ').length);
  // Only what follows the command of `run` is no parameter.
  const parameters = command.takesRest ? named : [...named, ...rest];
  checkCount(command, parameters);
  return { command, parameters, options, rest: command.takesRest ? [...rest] : [] };
}

function checkCount(
  { name, parameters: written, counts: [least, most] }: Command,
  parameters: readonly string[],
): void {
  if (parameters.length >= least && parameters.length <= most) return;
  throw usage(`Usage\u00a0: vigie ${name} ${written.fr}`.trim(), `Usage: vigie ${name} ${written.en}`.trim());
}
