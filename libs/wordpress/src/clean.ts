/** What is not seen, or turns what is seen around. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]+/gu;

/** Text of somebody else as it may be kept and shown: one line, not longer than `most`. */
export function cleanText(text: string, max: number): string {
  const plain = text.replace(unseen, ' ').trim();
  return plain.length > max ? plain.slice(0, max).replace(/[\uD800-\uDBFF]$/u, '') : plain;
}

/** Whether it is what it seems. */
export const isClean = (text: string) => text !== '' && cleanText(text, text.length) === text;
