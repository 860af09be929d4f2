import type { Sizes } from '@vigie/testing/seed';
import { openDatabase } from '../database';
import { fr } from '../terminal';
import { endpoints } from './fleet-endpoints';
import { seed } from './fleet-seed';
import { measure, type Part } from './measure';
import { logIn, requestAs } from './product';
import { aim, milliseconds, number, type Report, tableOf, times } from './report';
import { setStage } from './stage';
import { median } from './statistics';

const sizes: Sizes = { sites: 10_000, servers: 1_000, plugins: 30, groups: 200 };
const quickSizes: Sizes = { ...sizes, sites: 1_000, servers: 100 };
const maxRatio = 1.2;

/** Grants of each guest. */
const grantCount = 1_000;
const password = 'les vigies voient de loin';

/** Never shared with anybody. */
const isShared = ({ path }: (typeof endpoints)[number]) => !/servers|uploads/.test(path);

/** One grant for each of a thousand sites, with names of all kinds: what a search finds for their owner, it finds for the guest. */
const shareSites = `
  insert into sites.grants (id, site_id, user_id, role, shared_by)
  select gen_random_uuid(), id, $1, 'operator', 'Admin' from sites.sites order by id limit $2`;

/** All groups, which have all sites, and then single sites. */
const shareAll = `
  with shared as (
    select null::uuid as site_id, id as group_id from sites.groups
    union all (select id, null from sites.sites order by id))
  insert into sites.grants (id, site_id, group_id, user_id, role, shared_by)
  select gen_random_uuid(), site_id, group_id, $1, 'operator', 'Admin' from shared order by group_id nulls last limit $2`;

type Row = { name: string; owner: number; guest: number; all: number };

/** Reads the same lists as the owner of all sites and as two people with whom a part and all of them are shared. */
export const grants: Part = async (bench, isQuick) => {
  const { servers, product } = await setStage(bench);
  const owner = await logIn(product.address);
  bench.step(fr`ajoute les sites et les partages`);
  await seed(servers.databaseUrl, isQuick ? quickSizes : sizes);
  const addGuest = async (email: string, sql: string) => {
    const account = { email, password, first_name: 'Anne', last_name: 'Le Goff' };
    const { id } = JSON.parse(await requestAs(product.address, owner)('POST', 'admin/users', account));
    await share(servers.databaseUrl, sql, id);
    return logIn(product.address, { email, password });
  };
  const tokens = {
    owner,
    guest: await addGuest('partie@vigie.test', shareSites),
    all: await addGuest('tout@vigie.test', shareAll),
  };
  const runs = isQuick ? 10 : 40;
  const contenders = endpoints.filter(isShared).map(({ name, path }) => {
    const run = () => askInTurns(product.address, path, tokens, runs);
    return [name, { name, run }] as const;
  });
  return [
    measure({
      title: fr`partage`,
      contenders: Object.fromEntries(contenders),
      reports: (results) => [reportLists(Object.values(results), isQuick ? 1_000 : 10_000)],
    }),
  ];
};

const reportLists = (rows: readonly Row[], count: number): Report => {
  const worst = (figure: (row: Row) => number) => Math.max(...rows.map((row) => figure(row) / row.owner));
  return {
    title: fr`Listes de ${number(count)} sites : leur propriétaire, et qui en voit mille ou tous par ${number(grantCount)} partages`,
    table: tableOf(rows, [
      ['propriétaire', ({ owner }) => milliseconds(owner)],
      ['mille', ({ guest }) => milliseconds(guest)],
      ['rapport', ({ owner, guest }) => times(guest / owner)],
      ['tous', ({ all }) => milliseconds(all)],
      ['rapport', ({ owner, all }) => times(all / owner)],
    ]),
    lines: [
      aim(
        fr`le plus grand rapport, mille sites`,
        worst(({ guest }) => guest),
        '≤',
        maxRatio,
        times,
      ),
      aim(
        fr`le plus grand rapport, tous les sites`,
        worst(({ all }) => all),
        '≤',
        maxRatio,
        times,
      ),
    ],
    note: fr`
  Des médianes ; les trois demandent tour à tour, à chaud, sur la même machine.`,
  };
};

async function share(databaseUrl: string, sql: string, userId: string): Promise<void> {
  const client = await openDatabase(databaseUrl);
  try {
    await client.query(sql, [userId, grantCount]);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

type People<T> = Record<'owner' | 'guest' | 'all', T>;

/** In turns, so that a busy moment of the machine strikes all of them. */
async function askInTurns(
  address: string,
  path: string,
  tokens: People<string>,
  runs: number,
): Promise<People<number>> {
  const durations: People<number[]> = { owner: [], guest: [], all: [] };
  const warmUp = 8;
  for (let run = -warmUp; run < runs; run++) {
    for (const name of ['owner', 'guest', 'all'] as const) {
      const startedAt = performance.now();
      const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${tokens[name]}` } });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      if (run >= 0) durations[name].push(performance.now() - startedAt);
    }
  }
  return { owner: median(durations.owner), guest: median(durations.guest), all: median(durations.all) };
}
