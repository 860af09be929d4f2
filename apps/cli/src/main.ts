#!/usr/bin/env node
import { parseArguments } from './arguments';
import { Cli } from './cli';
import { commands } from './commands';
import { globalOptions } from './options';
import { readEnv } from './env';
import { explain as explainError } from './explain';
import { exitCodes, type Failure } from './failures';
import { helpOfAll, helpOfOne } from './help';
import { isLanguage, type Language, languageOf } from './language';
import { Output } from './output';
import { Prompt } from './prompt';

const argv = process.argv.slice(2);
const env = readEnv();

/** The language must be known before the line is read, since its mistakes are told in it. */
function chosenLanguage(): Language {
  const index = argv.findIndex((word) => /^--lang(?:=|$)/.test(word));
  const word = argv[index]?.split('=')[1] ?? argv[index + 1] ?? '';
  return index !== -1 && isLanguage(word) ? word : languageOf(env.locale);
}

const language = chosenLanguage();
const isJson = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).includes('--json');
const output = new Output(process.stdout, process.stderr, { isJson, mayRedraw: !env.noColor && !env.isDumb });
const prompt = new Prompt(process.stdin, process.stderr);

let cli: Cli | undefined;

async function run(): Promise<number> {
  const { command, ...given } = parseArguments(argv, commands, globalOptions);
  if (given.options.has('help')) {
    const text = command ? helpOfOne(command, globalOptions, language) : helpOfAll(commands, globalOptions, language);
    output.line(text);
    return argv.length === 0 ? exitCodes.usage : exitCodes.done;
  }
  if (!command) return exitCodes.usage;
  // The help needs neither schemas nor contracts, whose loading takes longer than all the rest.
  const { Api } = await import('./api');
  const runCommand = await command.load();
  cli = new Cli(given, env, language, output, prompt, (access, patience) => new Api(access, end, patience));
  return runCommand(cli);
}

const explain = (error: unknown): number =>
  explainError(error, { output, language, hasOrdered: cli?.hasOrdered === true });

const end = (failure: Failure): never => process.exit(explain(failure));

async function main(): Promise<void> {
  process.exitCode = await run().catch(explain);
  output.end();
  prompt.close();
}

void main();
