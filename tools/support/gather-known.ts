import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processes } from '@vigie/service-kit/keys';
import type { Client } from 'pg';
import type { Settings } from '../start/env';
import { decoded, type Known } from './known';
import { parsed } from './scrub';
import { isTold, ours } from './settings';

/** Names, hosts and logins of the rows. What is not there (another release) is not asked for again. */
const named = [
  'select name as a, host as b, login as c from sites.servers',
  'select name as a, url as b, host as c, login as d from sites.sites',
  'select name as a from sites.groups',
  'select host as a, login as b from sites.consoles',
  'select email as a, first_name as b, last_name as c from auth.users',
  'select app_name as a, default_sender_email as b from auth.settings',
  'select name as a, display_name as b from dns.zones',
];

export async function addRows(known: Known, client: Client): Promise<void> {
  for (const sql of named) {
    const { rows } = await client.query<Record<string, string | null>>(sql);
    for (const value of rows.flatMap((row) => Object.values(row)))
      known.add((URL.canParse(value ?? '') && new URL(value ?? '').hostname) || (value ?? ''));
  }
}

/** What the operator set, what it is kept in, and where this is. */
export function addSettings(known: Known, { home, given }: Settings, keys = join(home, 'keys')): void {
  for (const [name, value = ''] of Object.entries(given)) {
    const isOther = /PASS|SECRET|TOKEN|KEY|PROXY|^(?:USER|LOGNAME)$/i.test(name);
    if ((!ours.test(name) && !isOther) || isTold(name, value)) continue;
    known.addAddress(value);
    if (name.endsWith('_FILE') && isReadable(value)) known.addAddress(readFileSync(value, 'utf8').trim());
    // Of a list of headers each value, as it is sent.
    if (name.includes('HEADERS'))
      for (const pair of value.split(',')) known.add(decoded(pair.slice(pair.indexOf('=') + 1)).replace(/^\w+ /, ''));
  }
  for (const name of [hostname(), given['HOME'] ?? '', home]) known.add(name);
  for (const file of secretFiles(home, keys)) addJson(known, parsed(readFileSync(file, 'utf8')));
}

function secretFiles(home: string, keys: string): string[] {
  const inKeys = existsSync(keys) ? readdirSync(keys).filter((name) => name.endsWith('.json')) : [];
  const inHome = ['servers.json', 'first-admin.json'].map((name) => join(home, name));
  return [...inKeys.map((name) => join(keys, name)), ...inHome].filter(isReadable);
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Each text in it, however deep, but for whose it is: that word is of the code. */
function addJson(known: Known, value: unknown): void {
  if (typeof value === 'string' && !processes.some((name) => name === value)) known.add(value);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) addJson(known, part);
}
