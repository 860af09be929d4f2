import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Caller } from '@vigie/contracts/contract';
import { kidOf, Sealed } from '@vigie/vault/seal';
import type { DataSource } from 'typeorm';
import type { Kit } from './bootstrap';
import { KeyRing } from './key-ring';
import { tryLockName } from './locks';

const tickMs = 1_000;
/** During a rotation, values sealed with an older key may still arrive for some seconds. */
const checkEveryMs = 10_000;
const pageSize = 100;

type Row = Record<string, unknown>;

/** A jsonb column of sealed values, which this process can unseal, or another one that reseals them on request. */
export type SealedColumn = {
  table: string;
  id: string;
  column: string;
} & ({ sealContext: (row: Row) => string } | { reader: Caller; reseal: (row: Row) => Promise<Sealed> });

/**
 * Reseals values with the newest key of their reader, so that a rotation can end. A value that changed meanwhile is
 * left alone: its writer used the newest key, or the next pass finds it.
 */
export class Resealer implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> | undefined;
  private isStopped = false;
  private newestKids = '';
  private nextAt = 0;
  private readonly keyRing: KeyRing;

  constructor(
    private readonly database: DataSource,
    private readonly kit: Pick<Kit, 'keys' | 'log'>,
    private readonly columns: readonly SealedColumn[],
  ) {
    this.keyRing = new KeyRing(kit.keys);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), tickMs);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.pass;
  }

  private tick(): void {
    const newestKids = this.columns.map((column) => this.ringOf(column)[0]?.kid).join();
    if (this.pass || (newestKids === this.newestKids && performance.now() < this.nextAt)) return;
    this.newestKids = newestKids;
    this.nextAt = performance.now() + checkEveryMs;
    this.pass = this.resealAll()
      .catch((error: unknown) => this.kit.log.warn({ err: error }, 'sealed values wait to be resealed'))
      .finally(() => {
        this.pass = undefined;
      });
  }

  private async resealAll(): Promise<void> {
    // A ring of one key is not being rotated.
    const rotating = this.columns.filter((column) => this.ringOf(column).length > 1);
    if (rotating.length === 0) return;
    // This transaction only holds the lock. Each update is a transaction of its own, so that rows are locked briefly.
    await this.database.transaction(async (manager) => {
      if (!(await tryLockName(manager, 'sealed'))) return;
      for (const column of rotating) await this.resealColumn(column);
    });
  }

  private async resealColumn(column: SealedColumn): Promise<void> {
    const { table, id, column: name } = column;
    let after: string | null = null;
    while (!this.isStopped) {
      const rows: Row[] = await this.database.query(
        `select * from ${table} where ${name} is not null and ($1::text is null or ${id}::text > $1)
         order by ${id}::text limit ${pageSize}`,
        [after],
      );
      for (const row of rows) if (!this.isStopped) await this.resealRow(column, row);
      if (rows.length < pageSize) return;
      after = String(rows.at(-1)?.[id]);
    }
  }

  private async resealRow(column: SealedColumn, row: Row): Promise<void> {
    const { table, id, column: name } = column;
    try {
      const current = Sealed.parse(row[name]);
      if (kidOf(current) === this.ringOf(column)[0]?.kid) return;
      const resealed =
        'sealContext' in column ? await this.resealHere(current, column.sealContext(row)) : await column.reseal(row);
      await this.database.query(`update ${table} set ${name} = $1 where ${id} = $2 and ${name} = $3`, [
        JSON.stringify(resealed),
        row[id],
        JSON.stringify(current),
      ]);
    } catch (error) {
      this.kit.log.error({ err: error, column: `${table}.${name}`, row: row[id] }, 'a value could not be resealed');
    }
  }

  private async resealHere(current: Sealed, sealContext: string): Promise<Sealed> {
    return this.keyRing.seal(await this.keyRing.unseal(current, sealContext), sealContext);
  }

  private ringOf(column: SealedColumn) {
    const { keys } = this.kit;
    return keys.readers['reader' in column ? column.reader : keys.process];
  }
}
