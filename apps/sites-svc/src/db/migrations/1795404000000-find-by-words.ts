import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Kept beside what it is of: to strip the accents of ten thousand names costs more than to look through them. */
export class FindByWords1795404000000 implements MigrationInterface {
  /** Services that run take these tables in any order: each statement holds one of them, alone. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, text] of [
      ['sites', "name || ' ' || regexp_replace(url, '^https?://(www[.])?', '')"],
      ['servers', "name || ' ' || host"],
      ['groups', 'name'],
    ]) {
      // By bytes, so that LIKE is fast; its case is folded by the rules of French first.
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
