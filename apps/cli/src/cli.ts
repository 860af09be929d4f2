import type { Api, Patience } from './api';
import { type Access, isExposed, readAccess } from './config';
import type { Env } from './env';
import { cleanText, safeJsonLine } from './escapes';
import { explain } from './explain';
import { usage } from './failures';
import type { Language, Words } from './language';
import type { Output } from './output';
import type { Prompt } from './prompt';

type Given = {
  parameters: readonly string[];
  options: ReadonlyMap<string, readonly string[]>;
  rest: readonly string[];
};

const usualPatienceSeconds = 120;

/** What a command has in hand: its arguments, the terminal and Vigie. */
export class Cli {
  private openApi: Api | undefined;

  constructor(
    readonly given: Given,
    readonly env: Env,
    readonly language: Language,
    readonly output: Output,
    readonly prompt: Prompt,
    private readonly connect: (access: Access, patience: Patience) => Api,
  ) {}

  get isJson(): boolean {
    return this.output.settings.isJson;
  }

  has(option: string): boolean {
    return this.given.options.has(option);
  }

  value(option: string): string | undefined {
    return this.given.options.get(option)?.at(-1);
  }

  /** The words of an option that may be repeated or hold several, separated by commas. */
  values(option: string): string[] {
    return (this.given.options.get(option) ?? []).flatMap((text) => text.split(',')).filter(Boolean);
  }

  number(option: string): number | undefined {
    const text = this.value(option);
    if (text === undefined) return undefined;
    if (!/^\d{1,9}$/.test(text)) throw usage(`--${option} attend un nombre.`, `--${option} needs a number.`);
    return Number(text);
  }

  /** Refuses another word than these, which the contract of the option would refuse too. */
  oneOf<W extends string>(option: string, words: readonly W[]): W | undefined {
    const text = this.value(option);
    const word = words.find((each) => each === text);
    if (text !== undefined && word === undefined)
      throw usage(`--${option} attend ${words.join(', ')}.`, `--${option} needs one of ${words.join(', ')}.`);
    return word;
  }

  say({ [this.language]: text }: Words): string {
    return text;
  }

  note(words: Words): void {
    this.output.note(this.say(words));
  }

  /** What a program must know too. */
  warn(words: Words): void {
    const text = this.say(words);
    this.output.complain(this.isJson ? safeJsonLine({ warning: text }) : cleanText(text));
  }

  /** Where that is shown which comes before an order: with `--detach` the id of the job is the only result. */
  get shown(): Output {
    return this.has('detach') && !this.has('plan') ? this.output.beside : this.output;
  }

  private get patience(): Patience {
    const ms = (this.number('patience') ?? usualPatienceSeconds) * 1_000;
    return { ms, tell: ({ words }) => this.output.progress(this.say(words)) };
  }

  get api(): Api {
    if (this.openApi) return this.openApi;
    const access = readAccess(this.env);
    this.warnIfExposed(access.url);
    this.openApi = this.connect(access, this.patience);
    return this.openApi;
  }

  get hasOrdered(): boolean {
    return this.openApi?.hasOrdered === true;
  }

  /** Says what went wrong, and returns the exit code that it would be. */
  explain(error: unknown): number {
    return explain(error, this);
  }

  warnIfExposed(origin: string): void {
    if (!isExposed(origin)) return;
    this.warn({
      fr: `Attention\u00a0: ${origin} n’est pas chiffré, et d’autres sur le chemin peuvent lire le jeton.`,
      en: `Warning: ${origin} is not encrypted, and others on the way can read the token.`,
    });
  }

  /** Asks before something is changed. Without a terminal nobody can answer, so that `--yes` must say it. */
  async confirm(question: Words): Promise<boolean> {
    if (this.has('yes')) return true;
    if (!this.prompt.isTerminal || this.isJson)
      throw usage(
        'Personne ne peut répondre ici\u00a0: ajoutez --yes pour le faire.',
        'Nobody can answer here: add --yes to do it.',
      );
    return this.prompt.confirm(this.language, this.say(question));
  }
}
