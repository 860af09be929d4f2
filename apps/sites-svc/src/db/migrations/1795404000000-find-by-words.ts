import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stored search texts: stripping the accents of ten thousand names costs more than scanning them. */
export class FindByWords1795404000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, text] of [
      ['sites', "name || ' ' || regexp_replace(url, '^https?://(www[.])?', '')"],
      ['servers', "name || ' ' || host"],
      ['groups', 'name'],
    ]) {
      // Compared by bytes, so that LIKE is fast, after lowercasing by French rules.
      await runner.query(`
        alter table ${table} add column if not exists search_text text collate "C" generated always as (
          lower(translate(regexp_replace(normalize((${text}) collate french, NFD), '[\\u0300-\\u036F]', '', 'g'), '’''', '  '))
        ) stored`);
    }
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
