import type { IncidentKind, Severity } from '@vigie/contracts/incidents';

type KindRules = {
  severity: Severity;
  /** Failed checks in a row that open an incident. */
  failures: number;
  /** Good checks in a row that end the part of a subject in it. */
  successes: number;
  /** Good checks that are needed where it comes and goes. */
  flappingSuccesses: number;
};

const visited = { failures: 3, successes: 2, flappingSuccesses: 10 };

/** What checks find out one by one. */
export type ConditionKind = Exclude<IncidentKind, 'unwatched'>;

export const kindRules: Readonly<Record<ConditionKind, KindRules>> = {
  outage: { severity: 'critical', ...visited },
  content: { severity: 'critical', ...visited },
  certificate: { severity: 'warning', ...visited, failures: 1 },
  // A registry is asked once a day, and what it says is so.
  domain: { severity: 'warning', failures: 1, successes: 1, flappingSuccesses: 1 },
  // Nobody but a person knows whether it was meant.
  dns: { severity: 'info', ...visited },
  network: { severity: 'critical', ...visited },
};

/** SQL for a number of each kind. */
export const byKind = (kind: string, numberOf: (rules: KindRules) => number): string =>
  `case ${kind} ${Object.entries(kindRules)
    .map(([name, rules]) => `when '${name}' then ${numberOf(rules)}`)
    .join(' ')} end`;
