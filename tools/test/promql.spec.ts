import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gauges, measures } from '@vigie/service-kit/measures';
import { Metrics } from '@vigie/service-kit/metrics';
import { parse } from 'yaml';
import { findPromqlFaults, type MetricCatalogue, metricNames } from './promql';

const rootPath = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(rootPath(path), 'utf8');

type Panel = { type: string; title: string; description?: string; targets?: { expr: string }[] };
type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } };

const { panels }: { panels: Panel[] } = JSON.parse(read('ops/grafana/vigie.json'));
const { groups }: { groups: { rules: Rule[] }[] } = parse(read('ops/prometheus/alerts.yml'));
const rules = groups.flatMap((group) => group.rules);
const visiblePanels = panels.filter(({ type }) => type !== 'row');
const expressions = visiblePanels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const ownMetrics: MetricCatalogue = new Map();
for (const { name, type, options: facts } of measures) ownMetrics.set(name, { type, labels: facts.labels });
for (const [name, { labels }] of Object.entries(gauges)) ownMetrics.set(name, { type: 'gauge', labels });
const text = await (await Metrics.create('test')).text();
const allMetrics: MetricCatalogue = new Map(ownMetrics);
for (const [, name = '', type = ''] of text.matchAll(/^# TYPE ((?:nodejs|process)_\w+) (\w+)$/gm)) {
  allMetrics.set(name, { type, labels: [] });
}

/** All specs except the one of the metrics library, which does not assert single metrics. */
const specs = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(rootPath(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.spec.ts') && !path.includes('node_modules') && !path.endsWith('/metrics.spec.ts'))
    .map((path) => read(`${folder}/${path}`)),
);

it.each([...ownMetrics.keys()])('%s is asserted in a test', (name) => {
  expect(specs.some((spec) => new RegExp(`\\b${name}\\b|\\b${name}_(?:count|sum|bucket)\\b`).test(spec))).toBe(true);
});

describe('the dashboard and the alerts', () => {
  it.each(expressions)('use existing metrics in a panel: %s', (expr) => {
    expect(findPromqlFaults(expr, allMetrics)).toEqual([]);
  });

  it.each(rules.map(({ alert, expr }) => [alert, expr]))('use existing metrics in an alert: %s', (_, expr) => {
    expect(findPromqlFaults(expr, allMetrics)).toEqual([]);
  });

  it('count the first event, with which a series begins', () => {
    for (const expr of [...expressions, ...rules.map((rule) => rule.expr)])
      for (const [increase, series, window] of expr.matchAll(/\bincrease\(([^[]+)\[(\w+)\]\)/g))
        expect(expr.replaceAll(/\s+/g, ' ')).toContain(`(${series} unless ${series} offset ${window}) or ${increase}`);
    expect(expressions.filter((expr) => expr.includes('increase('))).not.toEqual([]);
  });

  it('show every metric of Vigie', () => {
    const shownNames = new Set(expressions.flatMap((expr) => metricNames(expr, allMetrics)));
    expect([...ownMetrics.keys()].filter((name) => !shownNames.has(name))).toEqual([]);
  });

  it('describe each panel, and explain each alert in the guide', () => {
    expect(visiblePanels.filter(({ description }) => !description)).toEqual([]);
    const guide = read('docs/observability.md');
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
      expect(guide).toContain(`\`${alert}\``);
    }
  });
});

describe('an expression', () => {
  it.each([
    ['sum(rate(vigie_htp_request_seconds_count[5m]))', 'vigie_htp_request_seconds_count is measured nowhere'],
    ['sum(vigie_leases_held_bucket)', 'vigie_leases_held_bucket is measured nowhere'],
    ['max by (knd) (vigie_sweep_lag_seconds)', 'knd is no label of vigie_sweep_lag_seconds'],
    ['vigie_jobs_open{stat="queued"} > 1', 'stat is no label of vigie_jobs_open'],
    ['vigie_http_request_seconds > 1', 'vigie_http_request_seconds is a histogram: take its _bucket, _sum or _count'],
  ])('is refused: %s', (expr, fault) => {
    expect(findPromqlFaults(expr, allMetrics)).toEqual([fault]);
  });

  it('may use metrics and labels of Prometheus itself', () => {
    expect(findPromqlFaults('up{app="gateway", instance=~"vigie_x.*"} offset 5m == 0', allMetrics)).toEqual([]);
  });
});
