export type Known = Map<string, { type: string; labels: readonly string[] }>;

/** Labels that Prometheus and every process add, and that of a histogram's buckets. */
const everywhere = ['app', 'job', 'instance', 'le'];
const words = new Set(['and', 'or', 'unless', 'offset', 'bool', 'inf', 'nan']);
const listing = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** What an expression of PromQL names that is not measured, or not so. */
export function faultsOf(expr: string, known: Known): string[] {
  const names = selectorsIn(expr);
  const unknown = names.flatMap(({ name }) => faultOf(name, known) ?? []);
  if (unknown.length > 0) return unknown;
  const grouped = [...expr.matchAll(listing)].flatMap(([, list = '']) => labelsOf(list));
  const bare = names.flatMap(({ name, labels }) => labels.flatMap((label) => labelFault(label, [name], known)));
  return [
    ...bare,
    ...grouped.flatMap((label) =>
      labelFault(
        label,
        names.map(({ name }) => name),
        known,
      ),
    ),
  ];
}

/** The measures that it names, without what histograms add to theirs. */
export const namesIn = (expr: string, known: Known): string[] =>
  selectorsIn(expr).map(({ name }) => (known.has(name) ? name : baseOf(name)));

function faultOf(name: string, known: Known): string | undefined {
  if (name === 'up') return undefined;
  if (known.get(name)?.type === 'histogram') return `${name} is a histogram: take its _bucket, _sum or _count`;
  const isPart = known.get(baseOf(name))?.type === 'histogram';
  return known.has(name) || isPart ? undefined : `${name} is measured nowhere`;
}

/** Of several measures of which it is a label of one. */
function labelFault(label: string, names: readonly string[], known: Known): string[] {
  if (everywhere.includes(label) || names.includes('up')) return [];
  const hasIt = names.some((name) => (known.get(name) ?? known.get(baseOf(name)))?.labels.includes(label));
  return hasIt ? [] : [`${label} is no label of ${[...new Set(names)].join(', ')}`];
}

const baseOf = (name: string) => name.replace(/_(bucket|sum|count)$/, '');

const labelsOf = (list: string) => list.split(',').flatMap((label) => label.trim() || []);

/** Names that are neither functions nor words of the language, each with the labels that it is asked for by. */
function selectorsIn(expr: string): { name: string; labels: string[] }[] {
  const plain = expr
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(listing, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\boffset\s+\w+/g, ' ');
  return [...plain.matchAll(/\b([a-zA-Z_:][\w:]*)\s*(\(|\{([^}]*)\})?/g)].flatMap(([, name = '', after, inside]) => {
    if (after === '(' || words.has(name)) return [];
    const labels = [...(inside ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    return [{ name, labels }];
  });
}
