import type { z } from 'zod';
import { parseAnswer } from './answers';

const opening = /^vigie 1 ([0-9a-f]{32})$/;

/** Reads the lines of an operation: the first announces a secret word, and only lines that begin with it count. */
export class ReportLines<T> {
  private word: string | undefined;

  constructor(private readonly schema: z.ZodType<T>) {}

  read(line: string): T | undefined {
    if (this.word === undefined) {
      this.word = opening.exec(line)?.[1];
      return undefined;
    }
    if (!line.startsWith(`${this.word} `)) return undefined;
    return this.schema.safeParse(parseAnswer(line.slice(this.word.length + 1))).data;
  }

  /** Continues with the output of a following operation, which announces its own word. */
  expectNext(): void {
    this.word = undefined;
  }
}
