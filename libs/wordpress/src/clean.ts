/** Control characters, invisible characters, and those that reverse the text direction. */
export const invisible = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]`;
const invisibleText = new RegExp(`${invisible}+`, 'gu');

/** Makes foreign text safe to store and show: one line of at most `max` characters. */
export function cleanText(text: string, max: number): string {
  const visible = text.replace(invisibleText, ' ').trim();
  return visible.length > max ? visible.slice(0, max).replace(/[\uD800-\uDBFF]$/u, '') : visible;
}

/** Whether the text shows as exactly what it is. */
export const isClean = (text: string) => text !== '' && cleanText(text, text.length) === text;
