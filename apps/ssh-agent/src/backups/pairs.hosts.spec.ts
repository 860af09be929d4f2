import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import { fragileTables } from '@vigie/testing/fleet/fragile-tables';
import { ReleaseArchives } from '@vigie/testing/release-archives';
import { codeOf, filesOf, folderOf, RestoreStage, write } from '@vigie/testing/restores';
import { runForTests } from '../jobs/run-for-tests';
import { backupsJobs } from './backups.jobs';

const pairs = new ReleaseArchives();
const prefix = 'wp_x1_';
/** The collation that replaces one of MariaDB 11 on a server that does not know it. */
const nearest = (name: string) => name.replace(/_.*/, '_unicode_520_ci');
const collationsOf = `select table_name, column_name, collation_name from information_schema.columns
  where table_schema = database() and collation_name is not null and table_name like '${prefix}%'`;
/** Parts of a definition that only newer servers print: default collations since 10.11, invisible columns since 11. */
const versionDependent = / (?:CHARACTER SET|COLLATE)[ =]\w+| INVISIBLE/g;

describe('a site of a host with another Debian release', () => {
  let stage: RestoreStage;
  let site: FleetSite;
  beforeAll(async () => {
    stage = await RestoreStage.start(['awkward'], (connections) => {
      const openStore = () => Promise.reject(new Error('no store here'));
      const handlers = backupsJobs(connections, { openStore, ruleFor: () => () => true });
      return (job) => runForTests(handlers, job);
    });
    site = stage.fleet.site('awkward');
    // MariaDB has the type of this column since 10.7.
    await stage.fleet.query(
      site,
      `${fragileTables(prefix)} alter table ${prefix}torn drop if exists mark;
       create table ${prefix}old (word varchar(20)) default charset utf8; insert into ${prefix}old values ('été');`,
    );
  });
  afterAll(() => stage?.close());

  /** Replaces what differs between hosts: address, path (of equal length), and the two names of utf8. */
  const plain = (text: string) =>
    text
      .replaceAll(new URL(site.url).host, 'HOST')
      .replaceAll(site.path, 'PATH')
      .replaceAll(versionDependent, '')
      .replaceAll('utf8mb3', 'utf8');
  const contentsOf = async () => ({
    rows: await stage.rowsOf(site, plain),
    files: filesOf(site),
    collations: (await stage.fleet.query(site, collationsOf)).map((column) => plain(column.join(' '))).toSorted(),
  });

  it('is packed', async () => {
    const filename = await stage.pack(site);
    pairs.keep(join(folderOf(site), filename), await contentsOf());
    expect(pairs.releases).toContain(pairs.release);
  });

  it.each(pairs.releases)('is restored from Debian %s, row by row and file by file', async (release) => {
    const filename = `site-20260101-000000-debian${release}.wpress`;
    write(site, `ai1wm-backups/${filename}`, pairs.archiveOf(release));
    const knownCollations = new Set((await stage.fleet.query(site, collations)).map(([name = '']) => plain(name)));
    const packed = pairs.packedOf(release);
    const unknown = new Set<string>();
    const expected = packed.collations.map((column) =>
      column.replace(/\S+$/, (name) => {
        if (knownCollations.has(name)) return name;
        unknown.add(name);
        return nearest(name);
      }),
    );
    await stage.wreck(site, prefix);
    const { warnings } = await stage.completeRestore(site, filename, { mode: 'replace' });
    expect(await contentsOf()).toEqual({ ...packed, collations: expected });
    expect(await codeOf(site)).toBe(200);
    expect(warnings).toHaveLength(unknown.size === 0 ? 0 : 1);
    for (const name of unknown) expect(plain(String(warnings))).toContain(`${name} → ${nearest(name)}`);
  });
});

/** Includes the longer names that MariaDB has for some collations since 10.10. */
const collations = `select collation_name from information_schema.collations where collation_name is not null union
  select concat(character_set_name, '_', collation_name) from information_schema.collation_character_set_applicability`;
