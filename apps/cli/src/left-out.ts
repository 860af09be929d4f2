import type { Cli } from './cli';
import { exitCodes, Failure } from './failures';
import type { Words } from './language';

/** What an order goes without, and why. `count` stands for lines that have no names. */
export type LeftOut = {
  site_id?: string;
  site_name?: string;
  kind?: string;
  slug?: string;
  count?: number;
  refusal: string;
};

/** Says before the order what will be missing from it: its job does not know. */
export function nameLeftOut(cli: Cli, leftOut: readonly LeftOut[]): void {
  for (const { site_name: site, slug, refusal } of leftOut) {
    const what = [site, slug].filter((part) => part !== undefined).join(', ');
    cli.note({
      fr: what ? `Laissé de côté\u00a0: ${what}. ${refusal}` : refusal,
      en: what ? `Left out: ${what}. ${refusal}` : refusal,
    });
  }
}

/** Who orders less than was named has not done all of it, even where the job has. */
export const codeWith = (code: number, leftOut: readonly LeftOut[]): number =>
  code === exitCodes.done && leftOut.length > 0 ? exitCodes.failed : code;

/** Nothing is left to order. Programs get the reasons with the failure, people were told them before. */
export const allLeftOut = (words: Words, leftOut: readonly LeftOut[]): Failure =>
  new Failure('refused', words, { detail: { message: words.en, left_out: leftOut } });
