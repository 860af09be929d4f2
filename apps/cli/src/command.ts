import type { Cli } from './cli';
import type { Words } from './language';

/** Without a value it is a switch. */
export type Option = { name: string; value?: Words | undefined; isMany?: boolean; about: Words };

export type Command = {
  /** One word or two: `sites`, `site show`. */
  name: string;
  /** What follows the name, as the help writes it. */
  parameters: Words;
  about: Words;
  options: readonly Option[];
  /** The least and the greatest number of parameters. */
  counts: readonly [least: number, most: number];
  /** What follows `--` is a command of its own. */
  takesRest?: boolean;
  /** Loads the code of the command, which brings its contracts along. */
  load: () => Promise<Run>;
};

/** Returns how the work ended, which is the exit code of the program. */
type Run = (cli: Cli) => Promise<number>;
