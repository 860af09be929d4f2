import { type DnsFinding, lintSeverities } from '@vigie/contracts/dns-lint';
import { lintMail } from './mail-rules';
import { lintNames } from './name-rules';
import type { ZoneToLint } from './rules';

/** Sorted by severity, errors first. */
export const lintZone = (zone: ZoneToLint): DnsFinding[] =>
  [...lintMail(zone), ...lintNames(zone)].toSorted(
    (a, b) => lintSeverities.indexOf(a.severity) - lintSeverities.indexOf(b.severity),
  );
