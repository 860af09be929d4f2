import { foldText } from '@vigie/contracts/search-text';

/** How many letters must be added, removed or replaced to make one text of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (other[to - 1] === one[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The name that was probably meant: one that holds the text, or one with few other letters. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const typed = foldText(text.slice(0, 100));
  const ranked = names.map((name) => {
    const folded = foldText(name.slice(0, 100));
    return { name, far: typed.length > 2 && folded.includes(typed) ? 0 : distance(typed, folded) };
  });
  const [best] = ranked.toSorted((one, other) => one.far - other.far);
  return best && best.far <= Math.max(2, typed.length / 3) ? best.name : undefined;
}
