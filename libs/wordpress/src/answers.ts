import { parseShallow } from '@vigie/contracts/nesting';

const longest = 1_000_000;
const deepest = 12;
/** Of one program; what a site prints besides could be anything. */
const maxAnswers = 2_000;

/** The values that a program said between its word, out of all that was printed around them. */
export function readAnswers(output: Buffer, word: string): unknown[] {
  const answers: unknown[] = [];
  const opening = Buffer.from(`\n${word}{`);
  const closing = Buffer.from(`}${word}\n`);
  let from = 0;
  // Every byte is looked at a few times at most, whatever is printed.
  for (let looks = 0; looks < maxAnswers; looks += 1) {
    const end = output.indexOf(closing, from);
    if (end < 0) break;
    const begin = output.subarray(from, end).lastIndexOf(opening) + opening.length - 1;
    const isThere = begin >= opening.length - 1 && end - from - begin <= longest;
    const answer = isThere ? parseAnswer(output.toString('utf8', from + begin, end + 1)) : undefined;
    if (answer !== undefined) answers.push(answer);
    from = end + closing.length - 1;
  }
  return answers;
}

/** Undefined for what is no JSON, or nested deeper than anything of ours. */
export const parseAnswer = (text: string): unknown => parseShallow(text, deepest);
