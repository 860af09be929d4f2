const longest = 1_000_000;
const deepest = 12;

/** The values that a program said between its word, out of all that was printed around them. */
export function readAnswers(output: Buffer, word: string): unknown[] {
  const answers: unknown[] = [];
  const opening = Buffer.from(`\n${word}{`);
  const closing = Buffer.from(`}${word}\n`);
  for (let at = output.indexOf(opening); at >= 0; at = output.indexOf(opening, at + 1)) {
    const begin = at + opening.length - 1;
    const end = output.indexOf(closing, begin);
    if (end < 0) break;
    if (end - begin > longest) continue;
    const answer = parseShallow(output.toString('utf8', begin, end + 1));
    if (answer !== undefined) answers.push(answer);
  }
  return answers;
}

/** Undefined for what is no JSON, or nested deeper than anything of ours. */
export function parseShallow(text: string): unknown {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > deepest) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
