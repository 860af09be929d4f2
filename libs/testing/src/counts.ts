import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a run of all tests starts or loads: `npm test` holds the sum of each to a budget. */
export type Counted = 'products' | 'services' | 'hosts' | 'pages';

/** Notes one more of them; nobody asks by hand. */
export function noteStart(kind: Counted): void {
  const folder = process.env['VIGIE_TEST_COUNTS'];
  if (folder) appendFileSync(join(folder, kind), '.');
}
