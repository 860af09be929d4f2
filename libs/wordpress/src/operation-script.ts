import asOwner from './as-owner.sh';
import operationHead from './operation-head.sh';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isUuid = (text: string): boolean => uuid.test(text);

export function requireUuid(text: string): string {
  if (!isUuid(text)) throw new Error('not a UUID in lower case');
  return text;
}

/** Builds the script of an operation. `head` reads all of its input before `main` begins. */
export const operationScript = (program: string, head: string, main: string) =>
  `program() {\n${program}\n}\n${operationHead}\n${head}\n${asOwner}\n${main}`;

/** One line for each variable that the head reads. */
export function operationInput(...lines: readonly string[]): string {
  if (lines.some((line) => /[\0\r\n]/.test(line))) throw new Error('an input has several lines');
  return `${lines.join('\n')}\n`;
}
