import { setTimeout as wait } from 'node:timers/promises';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DynamicModule, FactoryProvider, Type } from '@nestjs/common';
import pg, { Client, type ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface, type MixedList } from 'typeorm';
import { isConnectionLost } from './failures';
import type { Log } from './log';

/** What one service keeps in PostgreSQL: a schema of its own, reached by a role of its own. */
export type Database = {
  schema: string;
  entities: MixedList<new () => object>;
  migrations: (new () => MigrationInterface)[];
  /** Tables whose rows the service may add and read, never change or remove. */
  appendOnly?: string[];
};

/** What a start waits for the database and its schema. */
const startMs = 60_000;
const tryAgainMs = 500;

/** The role of a schema; its name holds the database's, since roles belong to the whole cluster. */
export function roleOf(url: string, schema: string): string {
  return `${decodeURIComponent(new URL(url).pathname.slice(1))}_${schema}`;
}

/** The address of `url`, logging in as the service's own role. */
export function serviceUrl(url: string, schema: string, password: string): string {
  const own = new URL(url);
  own.username = encodeURIComponent(roleOf(url, schema));
  own.password = password;
  return own.toString();
}

/**
 * What was asked on it and not answered in time goes on, inside a transaction perhaps that nobody ends: whoever got this
 * connection next would write into that. So it is closed.
 */
class OneChanceClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const ask = this.query.bind(this) as (...question: unknown[]) => unknown;
    const askOnce = (...question: unknown[]) => {
      const answer = ask(...question);
      if (answer instanceof Promise) answer.catch((error: unknown) => isLate(error) && void this.end());
      return answer;
    };
    this.query = askOnce as typeof this.query;
  }
}

/** Until nobody waits for an answer any more. */
const queryMs = 4_500;

/**
 * A host that dies says no goodbye: what its transactions hold is free again soon, and so are its connections.
 * Who lives asks the next thing within a fraction of that.
 */
const lostSettings = [
  'idle_in_transaction_session_timeout=15s',
  'tcp_keepalives_idle=15',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
];

const planSettings = [
  // Answers are short: to compile what makes one takes longer than to make it.
  'jit=off',
  // As where data is in memory or on a disk that seeks at once: what an index holds is not read from its table.
  'random_page_cost=1.1',
];

const isLate = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';

export function dataSourceOptions(url: string, database: Database): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    // Given, because the bundle cannot follow TypeORM's lazy require.
    driver: pg,
    url,
    schema: database.schema,
    entities: database.entities,
    migrations: database.migrations,
    migrationsTableName: 'migrations',
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    connectTimeoutMS: 2_000,
    extra: {
      options: [`search_path=${database.schema}`, ...lostSettings, ...planSettings]
        .map((setting) => `-c ${setting}`)
        .join(' '),
      max: 10,
      query_timeout: queryMs,
      // What nobody waits for stops there too: else it takes a processor, and its locks, from those who do.
      statement_timeout: queryMs + 500,
      idleTimeoutMillis: 60_000,
      Client: OneChanceClient,
    },
  };
}

/** TypeORM for a service whose schema the migrate step has already brought up to date. */
export async function databaseModule(url: string, database: Database, log: Log): Promise<DynamicModule> {
  await waitForSchema(url, database, log);
  return TypeOrmModule.forRoot({ ...dataSourceOptions(url, database), retryAttempts: 20, retryDelay: tryAgainMs });
}

/** At a start nobody waits for an answer: on a machine that is busy what could not be asked in time is asked again. */
export function retryAtStart(work: () => Promise<void>, log: Log): Promise<void> {
  return retry(work, { isPassing: isConnectionLost, onWait: (err) => log.warn({ err }, 'waiting for the database') });
}

/** A provider that is made of the database. */
export const ofDatabase = <T>(provide: Type<T>, make: (source: DataSource) => T): FactoryProvider<T> => ({
  provide,
  useFactory: make,
  inject: [DataSource],
});

/** Only the migrate step migrates: a service that is ahead of its schema, or has no role yet, waits for it, then gives up. */
function waitForSchema(url: string, database: Database, log: Log): Promise<void> {
  return retry(
    async () => {
      const missing = await missingMigrations(url, database).catch(String);
      if (missing !== '') throw new Error(`the schema ${database.schema} is not ready: ${missing}`);
    },
    { isPassing: () => true, onWait: (error) => log.info({ why: String(error) }, 'waiting for the schema') },
  );
}

type Patience = { isPassing: (error: unknown) => boolean; onWait: (error: unknown) => void };

async function retry(work: () => Promise<void>, { isPassing, onWait }: Patience): Promise<void> {
  const deadline = Date.now() + startMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || Date.now() > deadline) throw error;
      onWait(error);
      await wait(tryAgainMs);
    }
  }
}

async function missingMigrations(url: string, { schema, migrations }: Database): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`select name from "${schema}".migrations`);
    const done = new Set(rows.map(({ name }) => name));
    return migrations
      .map(({ name }) => name)
      .filter((name) => !done.has(name))
      .join(', ');
  } finally {
    await client.end().catch(() => undefined);
  }
}
