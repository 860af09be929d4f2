/** Applies French spacing to the text of a template, but not to its values (a path, a command, an address). */
export function fr(words: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const spaced = words.map((part) => part.replace(/ (?=[;!?»])|(?<=«) /g, '\u202f').replace(/ (?=:)/g, '\u00a0'));
  return spaced.reduce((text, part, index) => `${text}${values[index - 1] ?? ''}${part}`);
}

/** In French, zero is singular. */
export const formatCount = (n: number, singular: string, plural: string) => `${n} ${n < 2 ? singular : plural}`;

/** An expected failure: one sentence for the operator, and exit code 1. */
export class Refusal extends Error {}

/** Prints a refusal as its sentence, and any other error with its stack. */
export async function runTool(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error);
    process.exitCode = 1;
  }
}

export type Log = (line: string) => void;

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1).replace('.', ',')}\u00a0s`;
}

/** Prints a line with the time since the command started. */
export function say(line: string): void {
  const time = seconds(performance.now()).padStart(8);
  console.log(`${dim(time)}  ${line}`);
}

export const bold = (text: string) => paint('1', text);
const dim = (text: string) => paint('2', text);

function paint(code: string, text: string): string {
  return hasColours() ? `\u001b[${code}m${text}\u001b[0m` : text;
}

function hasColours(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors();
}

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
