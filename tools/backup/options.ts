import { resolve } from 'node:path';
import { readEnv } from '@vigie/service-kit/env';
import { z } from 'zod';
import { Refusal, fr } from '../terminal';

type Command = { help: string; options: readonly string[] };
export type CommandArguments = { file: string; options: ReadonlyMap<string, string> };

/** Parses one file and options with a value each; returns undefined for --help. */
export function parseArguments(
  args: readonly string[],
  { help, options: allowed }: Command,
): CommandArguments | undefined {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const options = new Map<string, string>();
  const files: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) files.push(word);
    else if (!allowed.includes(word) || args[at + 1] === undefined) throw new Refusal(help);
    else options.set(word, args[++at] ?? '');
  }
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Refusal(help);
  return { file: resolve(file), options };
}

const minPassphraseLength = 12;

export function readPassphrase(env: NodeJS.ProcessEnv): string | undefined {
  const read = readEnv(z.object({ VIGIE_BACKUP_PASSPHRASE: z.string().optional() }), env);
  if ('refused' in read) throw new Refusal(fr`La phrase secrète ne se laisse pas lire : ${read.refused.join(', ')}`);
  return read.env.VIGIE_BACKUP_PASSPHRASE;
}

/** A minimum length protects new archives from guesses; an existing archive opens with whatever sealed it. */
export function readNewPassphrase(env: NodeJS.ProcessEnv): string | undefined {
  const passphrase = readPassphrase(env);
  if (passphrase === undefined || passphrase.length >= minPassphraseLength) return passphrase;
  throw new Refusal(
    fr`La phrase secrète est trop courte : donnez au moins ${minPassphraseLength} caractères, plusieurs mots par exemple.`,
  );
}
