import type { z } from 'zod';
import { parseAnswer } from './answers';

const opening = /^vigie 1 ([0-9a-f]{32})$/;

/**
 * What an operation tells on descriptor 3, from its beginning: first a word, then lines with that word before them.
 * Whatever else is printed there is nothing.
 */
export class ReportLines<T> {
  private word: string | undefined;

  constructor(private readonly form: z.ZodType<T>) {}

  read(line: string): T | undefined {
    if (this.word === undefined) {
      this.word = opening.exec(line)?.[1];
      return undefined;
    }
    if (!line.startsWith(`${this.word} `)) return undefined;
    return this.form.safeParse(parseAnswer(line.slice(this.word.length + 1))).data;
  }

  /** Another operation goes on where this one ended: it has a word of its own. */
  goOn(): void {
    this.word = undefined;
  }
}
