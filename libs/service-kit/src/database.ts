import { setTimeout as wait } from 'node:timers/promises';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DynamicModule, FactoryProvider, Type } from '@nestjs/common';
import pg, { Client, type ClientBase, type ClientConfig, type Pool, type QueryResultRow } from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  type EntityManager,
  type MigrationInterface,
  type MixedList,
  QueryFailedError,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { isNarrowed } from './context';
import { isConnectionLost } from './failures';
import type { Log } from './log';

/** A service’s part of PostgreSQL: its own schema, reached by its own role. */
export type Database = {
  schema: string;
  entities: MixedList<new () => object>;
  migrations: (new () => MigrationInterface)[];
  /** Tables whose rows the service may insert and read, but never change or delete. */
  appendOnly?: string[];
};

/** How long a start waits for the database and its schema. */
const maxStartMs = 60_000;
const retryMs = 500;

/** Name of a schema’s role. It includes the database’s name, because roles belong to the whole cluster. */
export function roleOf(url: string, schema: string): string {
  return `${decodeURIComponent(new URL(url).pathname.slice(1))}_${schema}`;
}

/** Returns `url` with the login of the service’s own role. */
export function serviceUrl(url: string, schema: string, password: string): string {
  const withLogin = new URL(url);
  withLogin.username = encodeURIComponent(roleOf(url, schema));
  withLogin.password = password;
  return withLogin.toString();
}

/**
 * Closes a connection whose query timed out. The query goes on, perhaps inside a transaction that nobody ends, and the
 * next user of the connection would write into it.
 */
class CloseOnTimeoutClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    const queryOnce = (...parameters: unknown[]) => {
      const result = query(...parameters);
      if (result instanceof Promise) result.catch((error: unknown) => isOver(error) && void this.end());
      return result;
    };
    this.query = queryOnce as typeof this.query;
  }
}

/** Longer than any caller waits for an answer. */
const queryMs = 4_500;

/** Makes PostgreSQL drop the connections of a dead host, and their locks, within seconds. */
const deadClientSettings = [
  'idle_in_transaction_session_timeout=15s',
  'tcp_keepalives_idle=15',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
];

const planSettings = [
  // Queries are short: compiling one takes longer than running it.
  'jit=off',
  // Data is in memory or on an SSD, so an index scan is nearly as cheap as a sequential one.
  'random_page_cost=1.1',
];

/** Whether the connection cannot be used again: its query goes on, or its prepared statement is older than a table. */
const isOver = (error: unknown) =>
  error instanceof Error &&
  (error.message === 'Query read timeout' || error.message.startsWith('cached plan must not'));

export function dataSourceOptions(url: string, database: Database): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    // Passed explicitly, because the bundle cannot follow TypeORM’s lazy require.
    driver: pg,
    url,
    schema: database.schema,
    entities: database.entities,
    migrations: database.migrations,
    migrationsTableName: 'migrations',
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    connectTimeoutMS: 2_000,
    extra: {
      options: [`search_path=${database.schema}`, ...deadClientSettings, ...planSettings]
        .map((setting) => `-c ${setting}`)
        .join(' '),
      max: 10,
      query_timeout: queryMs,
      // Cancels a query in the database, too: it would go on using a processor and its locks.
      statement_timeout: queryMs + 500,
      idleTimeoutMillis: 60_000,
      Client: CloseOnTimeoutClient,
    },
  };
}

/** Opens TypeORM for a service whose schema the migrate step has brought up to date. */
export async function databaseModule(url: string, database: Database, log: Log): Promise<DynamicModule> {
  await waitForSchema(url, database, log);
  return TypeOrmModule.forRoot({ ...dataSourceOptions(url, database), retryAttempts: 20, retryDelay: retryMs });
}

/** At start no caller waits, so a query that a busy machine could not answer in time is repeated. */
export function retryAtStart(work: () => Promise<void>, log: Log): Promise<void> {
  return retry(work, { isTransient: isConnectionLost, onWait: (err) => log.warn({ err }, 'waiting for the database') });
}

export const provideFromDatabase = <T>(provide: Type<T>, make: (source: DataSource) => T): FactoryProvider<T> => ({
  provide,
  useFactory: make,
  inject: [DataSource],
});

/** The prepared statements of this process by their texts. Every connection keeps its own, of some ten kilobytes each. */
const statementNames = new Map<string, string>();
const maxStatements = 200;

function nameOf(text: string): string | undefined {
  if (statementNames.size < maxStatements && !statementNames.has(text)) {
    statementNames.set(text, `statement_${statementNames.size}`);
  }
  return statementNames.get(text);
}

/**
 * Runs a statement that each connection prepares once: for what pages and jobs ask all the time, parsing and planning cost
 * PostgreSQL more than the work itself. Its text holds no value of which there are many. Returns the rows, of writes too.
 */
export async function queryPrepared<Row extends QueryResultRow>(
  { dataSource, queryRunner }: EntityManager,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  // The conditions of a narrowed token name its groups: a connection would keep a statement for each token.
  const statement = { ...(!isNarrowed() && { name: nameOf(text) }), text, values: [...values] };
  if (!queryRunner) return (await poolOf(dataSource).query<Row>(statement)).rows;
  const connection: ClientBase = await queryRunner.connect();
  try {
    return (await connection.query<Row>(statement)).rows;
  } catch (error) {
    throw new QueryFailedError(text, statement.values, error as Error);
  }
}

/**
 * SQL: a column is among the ids of a parameter. For one id PostgreSQL keeps the plan of a prepared statement; for a list it
 * would plan each time, because its length matters.
 */
export const isOneOf = (ids: readonly string[], parameter: string): string =>
  ids.length === 1 ? `= (${parameter}::uuid[])[1]` : `= any(${parameter}::uuid[])`;

/** SQL: all columns of an entity under the names of its properties. */
export const columnsOf = ({ dataSource }: EntityManager, entity: new () => object): string =>
  dataSource
    .getMetadata(entity)
    .columns.map(({ databaseName, propertyName }) => `${databaseName} as "${propertyName}"`)
    .join(', ');

const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as PostgresDriver).master;

/**
 * SQL: in this transaction, a prepared statement is planned once for all values, along indexes, since a plan made while
 * the table was small also serves when it is large.
 */
export const keepPlans = 'set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off';

/**
 * SQL for one part of a list. The first part has no parameter: a prepared statement would be planned for a tenth of all
 * rows, and PostgreSQL plans each of its uses instead.
 */
export const partOf = (
  { limit, offset = 0 }: { limit?: number | undefined; offset?: number },
  add: (value: unknown) => string,
) => `limit ${limit ?? 'all'}${offset > 0 ? ` offset ${add(offset)}` : ''}`;

/** Only the migrate step migrates. A service whose schema or role is missing waits for it, then gives up. */
function waitForSchema(url: string, database: Database, log: Log): Promise<void> {
  return retry(
    async () => {
      const missing = await missingMigrations(url, database).catch(String);
      if (missing !== '') throw new Error(`the schema ${database.schema} is not ready: ${missing}`);
    },
    { isTransient: () => true, onWait: (error) => log.info({ why: String(error) }, 'waiting for the schema') },
  );
}

type RetryOptions = { isTransient: (error: unknown) => boolean; onWait: (error: unknown) => void };

async function retry(work: () => Promise<void>, { isTransient, onWait }: RetryOptions): Promise<void> {
  const deadline = Date.now() + maxStartMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || Date.now() > deadline) throw error;
      onWait(error);
      await wait(retryMs);
    }
  }
}

async function missingMigrations(url: string, { schema, migrations }: Database): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`select name from "${schema}".migrations`);
    const applied = new Set(rows.map(({ name }) => name));
    return migrations
      .map(({ name }) => name)
      .filter((name) => !applied.has(name))
      .join(', ');
  } finally {
    await client.end().catch(() => undefined);
  }
}
