import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '@vigie/contracts/contract';
import { Redis } from 'ioredis';
import { freePort } from './ports';
import type { RunningProcess } from './processes';
import { testServers } from './servers';

/** A product that one test file leaves to the next one of the same worker, because a start takes seconds. */
export type LeftProduct = {
  home: string;
  env: Record<string, string>;
  database: string;
  processes: { app: Caller; running: RunningProcess; url: string }[];
};

/** Folder of notes in a run of all medium tests; a run by hand leaves no product. */
const folder = () => process.env['VIGIE_TEST_LEFT'];
const notePath = (notesFolder: string) => join(notesFolder, `product-${process.env['VITEST_POOL_ID'] ?? 0}.json`);

export const canLeaveProduct = (): boolean => folder() !== undefined;

export function leaveProduct(product: LeftProduct): void {
  const notesFolder = folder();
  if (notesFolder !== undefined) writeFileSync(notePath(notesFolder), JSON.stringify(product));
}

/** A worker keeps at most one left product, because even an idle one uses processor time. */
export function takeLeftProduct(): LeftProduct | undefined {
  const notesFolder = folder();
  if (notesFolder === undefined || !existsSync(notePath(notesFolder))) return undefined;
  const left = JSON.parse(readFileSync(notePath(notesFolder), 'utf8')) as LeftProduct;
  rmSync(notePath(notesFolder));
  return left;
}

/** A fixed port per worker for a fake external service, since a left product keeps the fake's address. */
export async function portForFake(service: string): Promise<number> {
  const notesFolder = folder();
  if (notesFolder === undefined) return 0;
  const file = join(notesFolder, `port-${service}-${process.env['VITEST_POOL_ID'] ?? 0}`);
  if (!existsSync(file)) writeFileSync(file, String(await freePort()));
  return Number(readFileSync(file, 'utf8'));
}

/** Removes what a product keeps outside its database: its keys in Redis and the files of its store. */
export async function clearStores(home: string, instance: string): Promise<void> {
  const store = join(home, 'store');
  for (const folderOfFiles of existsSync(store) ? readdirSync(store) : [])
    for (const file of readdirSync(join(store, folderOfFiles)))
      rmSync(join(store, folderOfFiles, file), { recursive: true });
  const redis = new Redis(testServers().redisUrl);
  try {
    for await (const keys of redis.scanStream({ match: `vigie:${instance}:*`, count: 1_000 }))
      if (keys.length > 0) await redis.unlink(...keys);
  } finally {
    redis.disconnect();
  }
}
