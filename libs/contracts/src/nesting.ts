const [quote, backslash] = [0x22, 0x5c];
const [brace, bracket, endOfBrace, endOfBracket] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Whether JSON nests objects and lists deeper than `max`, checked without parsing. */
export function isNestedDeeper(text: string, max: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (isInString) {
      if (sign === backslash) at += 1;
      else if (sign === quote) isInString = false;
    } else if (sign === quote) isInString = true;
    else if (sign === brace || sign === bracket) depth += 1;
    else if (sign === endOfBrace || sign === endOfBracket) depth -= 1;
    if (depth > max) return true;
  }
  return false;
}

/** Parses JSON; undefined when it is invalid or nested too deeply. */
export function parseShallow(text: string, deepest: number): unknown {
  if (isNestedDeeper(text, deepest)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
