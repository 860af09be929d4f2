import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SortNamesInFrench1795830000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Sorts as people read names: accented letters beside their base letter, numbers by value.
    await runner.query("create collation french (provider = icu, locale = 'fr-u-kn-true')");
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
