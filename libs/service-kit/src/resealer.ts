import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Caller } from '@vigie/contracts/contract';
import { kidOf, Sealed } from '@vigie/vault/seal';
import type { DataSource } from 'typeorm';
import type { Kit } from './bootstrap';
import { KeyRing } from './key-ring';
import { tryLockName } from './locks';

const tickMs = 1_000;
/** While keys are being rotated: what was sealed with an older one may still arrive for some seconds. */
const lookEveryMs = 10_000;
const pageSize = 100;

type Row = Record<string, unknown>;

/** A jsonb column of sealed values, and where they open: here, or in another process that seals them anew when asked. */
export type SealedColumn = {
  table: string;
  /** Its primary key. */
  id: string;
  column: string;
} & ({ place: (row: Row) => string } | { reader: Caller; reseal: (row: Row) => Promise<Sealed> });

/**
 * Seals anew what is not sealed with the newest key of its reader, so that a rotation can end. A value that changed
 * meanwhile stays as it is: whoever wrote it used the newest key, or the next look finds it.
 */
export class Resealer implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> | undefined;
  private isStopped = false;
  private known = '';
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
    const newest = this.columns.map((column) => this.ringOf(column)[0]?.kid).join();
    if (this.pass || (newest === this.known && performance.now() < this.nextAt)) return;
    this.known = newest;
    this.nextAt = performance.now() + lookEveryMs;
    this.pass = this.resealAll()
      .catch((error: unknown) => this.kit.log.warn({ err: error }, 'sealed values wait to be sealed anew'))
      .finally(() => {
        this.pass = undefined;
      });
  }

  private async resealAll(): Promise<void> {
    // A ring of one key belongs to no rotation: there is nothing older that could still be opened.
    const rotating = this.columns.filter((column) => this.ringOf(column).length > 1);
    if (rotating.length === 0) return;
    // This transaction only holds the lock: each update is one of its own, and holds its row no longer than that.
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

  /** One that cannot be sealed anew keeps no other one from it. */
  private async resealRow(column: SealedColumn, row: Row): Promise<void> {
    const { table, id, column: name } = column;
    try {
      const old = Sealed.parse(row[name]);
      if (kidOf(old) === this.ringOf(column)[0]?.kid) return;
      const fresh = 'place' in column ? await this.resealHere(old, column.place(row)) : await column.reseal(row);
      await this.database.query(`update ${table} set ${name} = $1 where ${id} = $2 and ${name} = $3`, [
        JSON.stringify(fresh),
        row[id],
        JSON.stringify(old),
      ]);
    } catch (error) {
      this.kit.log.error({ err: error, column: `${table}.${name}`, row: row[id] }, 'a value could not be sealed anew');
    }
  }

  private async resealHere(old: Sealed, place: string): Promise<Sealed> {
    return this.keyRing.seal(await this.keyRing.unseal(old, place), place);
  }

  private ringOf(column: SealedColumn) {
    const { keys } = this.kit;
    return keys.readers['reader' in column ? column.reader : keys.process];
  }
}
