export type MetricCatalogue = Map<string, { type: string; labels: readonly string[] }>;

/** The labels that Prometheus and every process add, and the one of histogram buckets. */
const commonLabels = ['app', 'job', 'instance', 'le'];
const keywords = new Set(['and', 'or', 'unless', 'offset', 'bool', 'inf', 'nan']);
const labelList = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** Finds unknown metrics and labels in a PromQL expression. */
export function findPromqlFaults(expr: string, metrics: MetricCatalogue): string[] {
  const names = parseSelectors(expr);
  const unknownMetrics = names.flatMap(({ name }) => metricFault(name, metrics) ?? []);
  if (unknownMetrics.length > 0) return unknownMetrics;
  const groupFaults = [...expr.matchAll(labelList)].flatMap(([, list = '']) => labelsOf(list));
  const selectorFaults = names.flatMap(({ name, labels }) =>
    labels.flatMap((label) => labelFault(label, [name], metrics)),
  );
  return [
    ...selectorFaults,
    ...groupFaults.flatMap((label) =>
      labelFault(
        label,
        names.map(({ name }) => name),
        metrics,
      ),
    ),
  ];
}

/** The metrics in an expression, without the suffixes of histograms. */
export const metricNames = (expr: string, metrics: MetricCatalogue): string[] =>
  parseSelectors(expr).map(({ name }) => (metrics.has(name) ? name : baseOf(name)));

function metricFault(name: string, metrics: MetricCatalogue): string | undefined {
  if (name === 'up') return undefined;
  if (metrics.get(name)?.type === 'histogram') return `${name} is a histogram: take its _bucket, _sum or _count`;
  const isSeries = metrics.get(baseOf(name))?.type === 'histogram';
  return metrics.has(name) || isSeries ? undefined : `${name} is measured nowhere`;
}

/** A label is valid if one of the metrics has it. */
function labelFault(label: string, names: readonly string[], metrics: MetricCatalogue): string[] {
  if (commonLabels.includes(label) || names.includes('up')) return [];
  const hasLabel = names.some((name) => (metrics.get(name) ?? metrics.get(baseOf(name)))?.labels.includes(label));
  return hasLabel ? [] : [`${label} is no label of ${[...new Set(names)].join(', ')}`];
}

const baseOf = (name: string) => name.replace(/_(bucket|sum|count)$/, '');

const labelsOf = (list: string) => list.split(',').flatMap((label) => label.trim() || []);

/** The metric names in an expression, each with the labels of its selector. */
function parseSelectors(expr: string): { name: string; labels: string[] }[] {
  const plain = expr
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(labelList, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\boffset\s+\w+/g, ' ');
  return [...plain.matchAll(/\b([a-zA-Z_:][\w:]*)\s*(\(|\{([^}]*)\})?/g)].flatMap(([, name = '', after, selector]) => {
    if (after === '(' || keywords.has(name)) return [];
    const labels = [...(selector ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    return [{ name, labels }];
  });
}
