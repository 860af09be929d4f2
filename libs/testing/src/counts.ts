import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Things that a test run starts or loads; `npm test` limits the sum of each. */
export type CountedKind = 'products' | 'services' | 'hosts' | 'pages';

/** Counts one start, in a run by `npm test` only. */
export function countStart(kind: CountedKind): void {
  const folder = process.env['VIGIE_TEST_COUNTS'];
  if (folder) appendFileSync(join(folder, kind), '.');
}
