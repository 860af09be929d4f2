import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processes } from '@vigie/service-kit/keys';
import type { Client } from 'pg';
import type { Settings } from '../start/env';
import { decodeSafely, type KnownValues } from './known-values';
import { parseJson } from './scrub';
import { isHarmless, ownVariable } from './settings';

/** Selects the names, hosts and logins of all rows. A query fails if the schema is of another release. */
const nameQueries = [
  'select name as a, host as b, login as c from sites.servers',
  'select name as a, url as b, host as c, login as d from sites.sites',
  'select name as a from sites.groups',
  'select host as a, login as b from sites.consoles',
  'select email as a, first_name as b, last_name as c from auth.users',
  'select app_name as a, default_sender_email as b from auth.settings',
  'select name as a, display_name as b from dns.zones',
];

export async function addRows(knownValues: KnownValues, client: Client): Promise<void> {
  for (const sql of nameQueries) {
    const { rows } = await client.query<Record<string, string | null>>(sql);
    for (const value of rows.flatMap((row) => Object.values(row)))
      knownValues.add((URL.canParse(value ?? '') && new URL(value ?? '').hostname) || (value ?? ''));
  }
}

/** Adds the operator's settings, the secrets in the state folder, and the names of this machine. */
export function addSettings(knownValues: KnownValues, { home, env }: Settings, keys = join(home, 'keys')): void {
  for (const [name, value = ''] of Object.entries(env)) {
    const isSensitive = /PASS|SECRET|TOKEN|KEY|PROXY|^(?:USER|LOGNAME)$/i.test(name);
    if ((!ownVariable.test(name) && !isSensitive) || isHarmless(name, value)) continue;
    knownValues.addAddress(value);
    if (name.endsWith('_FILE') && isReadable(value)) knownValues.addAddress(readFileSync(value, 'utf8').trim());
    // Each value of a list of headers is added as it is sent.
    if (name.includes('HEADERS'))
      for (const pair of value.split(','))
        knownValues.add(decodeSafely(pair.slice(pair.indexOf('=') + 1)).replace(/^\w+ /, ''));
  }
  for (const name of [hostname(), env['HOME'] ?? '', home]) knownValues.add(name);
  for (const file of secretFiles(home, keys)) addJson(knownValues, parseJson(readFileSync(file, 'utf8')));
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

/** Adds every string in a JSON value, except the names of processes, which are words of the code. */
function addJson(knownValues: KnownValues, value: unknown): void {
  if (typeof value === 'string' && !processes.some((name) => name === value)) knownValues.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) addJson(knownValues, part);
}
