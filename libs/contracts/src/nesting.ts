const [quote, backslash] = [0x22, 0x5c];
const [brace, bracket, endOfBrace, endOfBracket] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Whether JSON nests objects and lists deeper than `max`, checked without parsing. */
export function isNestedDeeper(text: string, max: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (isInString) {
      if (character === backslash) index += 1;
      else if (character === quote) isInString = false;
    } else if (character === quote) isInString = true;
    else if (character === brace || character === bracket) depth += 1;
    else if (character === endOfBrace || character === endOfBracket) depth -= 1;
    if (depth > max) return true;
  }
  return false;
}

/** Parses JSON; undefined when it is invalid or nested too deeply. */
export function parseShallow(text: string, maxDepth: number): unknown {
  if (isNestedDeeper(text, maxDepth)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
