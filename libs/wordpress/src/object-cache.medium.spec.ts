import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { testRedis } from '@vigie/testing/redis';
import { LoadTests } from './load-tests';

/** This test's own database number. */
const database = 11;
const { redis, host, port, password } = testRedis(database);
const server = {
  WP_REDIS_HOST: host,
  WP_REDIS_PORT: port,
  WP_REDIS_DATABASE: database,
  WP_REDIS_PASSWORD: password,
};

const programs: LoadTests[] = [];
afterAll(() => {
  redis.disconnect();
  for (const program of programs) program.close();
});

/** The message for a drop-in whose cache could not be emptied, under these constants. */
function clear(code: string, constants: object, servers: object = {}): string | null {
  const program = new LoadTests({ ...constants });
  programs.push(program);
  const content = join(program.folder, 'content');
  mkdirSync(content);
  writeFileSync(join(content, 'object-cache.php'), `<?php\n/* Plugin Name: Cale */\n${code}`);
  const [answer] = program.ask<{ said: string | null }>([{ is: 'objectCache', content, servers }]);
  return answer?.said ?? null;
}

const dropIn = `if (defined('WP_REDIS_HOST')) { exit; }`;

onFleet(describe)('an object cache', () => {
  it('deletes the site’s keys from Redis, and no others', async () => {
    const ourKeys = Array.from({ length: 2_500 }, (_, at) => `été*:options:${at}`);
    await redis.mset(...ourKeys.flatMap((key) => [key, '1']), 'étéX:a', '1', 'voisin:a', '1');
    expect(clear(dropIn, { ...server, WP_REDIS_PREFIX: 'été*' })).toBeNull();
    expect((await redis.keys('*')).toSorted()).toEqual(['voisin:a', 'étéX:a']);
    // The other ways in which drop-ins are configured.
    await redis.set('a:1', '1');
    expect(clear('$redis_server;', {}, { redis: { host, port, database, password, prefix: 'a:' } })).toBeNull();
    const config = { host, port, database, password, prefix: 'étéX' };
    expect(clear('ObjectCachePro', { WP_REDIS_CONFIG: config })).toBeNull();
    expect(await redis.keys('*')).toEqual(['voisin:a']);
  });

  it('leaves Redis alone if no prefix identifies the site’s keys, or if it is disabled', async () => {
    await redis.set('file:d’attente', '1');
    expect(clear(dropIn, server)).toMatch(/rien n’y distingue ce site des autres/);
    expect(clear(dropIn, { ...server, WP_REDIS_PREFIX: 'file', WP_REDIS_DISABLED: true })).toBeNull();
    expect(await redis.exists('file:d’attente')).toBe(1);
  });

  it.each<[string, string, object, RegExp]>([
    [
      'an unreachable Redis',
      dropIn,
      { WP_REDIS_HOST: '127.0.0.1', WP_REDIS_PORT: 1, WP_REDIS_PREFIX: 'a' },
      /«\u00a0Cale\u00a0».* ne répond pas/,
    ],
    [
      'a Redis that wants another password',
      dropIn,
      { ...server, WP_REDIS_PREFIX: 'a', WP_REDIS_PASSWORD: 'faux' },
      /ERR AUTH|WRONGPASS/,
    ],
    ['a Redis of several servers', dropIn, { ...server, WP_REDIS_CLUSTER: ['a', 'b'] }, /plusieurs serveurs/],
    ['a Redis that only the web server knows', dropIn, { WP_REDIS_HOST: '', WP_REDIS_PREFIX: 'a' }, /ne dit pas ici/],
    ['Memcached, which can only be flushed for all sites', 'global $memcached_servers;', {}, /ne sait pas vider/],
    ['a drop-in of its own', 'function wp_cache_flush() {}', {}, /ne sait pas vider .*«\u00a0Cale\u00a0»/],
    ['a cache in the web server’s memory', 'apcu_store(1);', {}, /APCu.* redémarrez PHP/],
  ])('reports a cache that it cannot empty: %s', (_, code, constants, message) => {
    expect(clear(code, constants)).toMatch(message);
  });
});
