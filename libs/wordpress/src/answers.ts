import { parseShallow } from '@vigie/contracts/nesting';

const maxAnswerBytes = 1_000_000;
const maxDepth = 12;
/** Answers that one program may give; the rest of what a site prints is ignored. */
const maxAnswers = 2_000;

/** Finds the JSON answers between a program's secret word, among everything that the site printed. */
export function readAnswers(output: Buffer, word: string): unknown[] {
  const answers: unknown[] = [];
  const opening = Buffer.from(`\n${word}{`);
  const closing = Buffer.from(`}${word}\n`);
  let from = 0;
  // Each byte is searched a bounded number of times, whatever the site prints.
  for (let searches = 0; searches < maxAnswers; searches += 1) {
    const end = output.indexOf(closing, from);
    if (end < 0) break;
    const begin = output.subarray(from, end).lastIndexOf(opening) + opening.length - 1;
    const isComplete = begin >= opening.length - 1 && end - from - begin <= maxAnswerBytes;
    const answer = isComplete ? parseAnswer(output.toString('utf8', from + begin, end + 1)) : undefined;
    if (answer !== undefined) answers.push(answer);
    from = end + closing.length - 1;
  }
  return answers;
}

/** Returns undefined for text that is no JSON, or nested deeper than any answer of ours. */
export const parseAnswer = (text: string): unknown => parseShallow(text, maxDepth);
