import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gauges, measures } from '@vigie/service-kit/measures';
import { Metrics } from '@vigie/service-kit/metrics';
import { parse } from 'yaml';
import { faultsOf, type Known, namesIn } from './measures';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');

type Panel = { type: string; title: string; description?: string; targets?: { expr: string }[] };
type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } };

const { panels }: { panels: Panel[] } = JSON.parse(read('ops/grafana/vigie.json'));
const { groups }: { groups: { rules: Rule[] }[] } = parse(read('ops/prometheus/alerts.yml'));
const rules = groups.flatMap((group) => group.rules);
const shown = panels.filter(({ type }) => type !== 'row');
const expressions = shown.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const own: Known = new Map();
for (const { name, type, facts } of measures) own.set(name, { type, labels: facts.labels });
for (const [name, { labels }] of Object.entries(gauges)) own.set(name, { type: 'gauge', labels });
/** What Node says of itself besides. */
const text = await (await Metrics.of('test')).text();
const known: Known = new Map(own);
for (const [, name = '', type = ''] of text.matchAll(/^# TYPE ((?:nodejs|process)_\w+) (\w+)$/gm)) {
  known.set(name, { type, labels: [] });
}

/** Those of the code that measures; what tells of any measure, the kit's own, holds none of them. */
const specs = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.spec.ts') && !path.includes('node_modules') && !path.endsWith('/metrics.spec.ts'))
    .map((path) => read(`${folder}/${path}`)),
);

it.each([...own.keys()])('%s is asserted where it is measured', (name) => {
  expect(specs.some((spec) => new RegExp(`\\b${name}\\b|\\b${name}_(?:count|sum|bucket)\\b`).test(spec))).toBe(true);
});

describe('the dashboard and the alerts', () => {
  it.each(expressions)('show what is measured: %s', (expr) => {
    expect(faultsOf(expr, known)).toEqual([]);
  });

  it.each(rules.map(({ alert, expr }) => [alert, expr]))('warn by what is measured: %s', (_, expr) => {
    expect(faultsOf(expr, known)).toEqual([]);
  });

  it('see the first event of its kind, with which its series begins', () => {
    for (const expr of [...expressions, ...rules.map((rule) => rule.expr)])
      for (const [increase, counted, window] of expr.matchAll(/\bincrease\(([^[]+)\[(\w+)\]\)/g))
        expect(expr.replaceAll(/\s+/g, ' ')).toContain(
          `(${counted} unless ${counted} offset ${window}) or ${increase}`,
        );
    expect(expressions.filter((expr) => expr.includes('increase('))).not.toEqual([]);
  });

  it('show everything that Vigie measures', () => {
    const used = new Set(expressions.flatMap((expr) => namesIn(expr, known)));
    expect([...own.keys()].filter((name) => !used.has(name))).toEqual([]);
  });

  it('say of each panel what it shows, and of each alert what is wrong and what to do', () => {
    expect(shown.filter(({ description }) => !description)).toEqual([]);
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
    expect(faultsOf(expr, known)).toEqual([fault]);
  });

  it('may name what Prometheus knows by itself', () => {
    expect(faultsOf('up{app="gateway", instance=~"vigie_x.*"} offset 5m == 0', known)).toEqual([]);
  });
});
