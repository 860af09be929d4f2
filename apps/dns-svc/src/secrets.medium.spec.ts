import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectWithoutKeys, textOf } from '@vigie/testing/bus';
import { canary, containsSecret } from '@vigie/testing/canaries';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { dumpRedis, dumpTables } from '@vigie/testing/dump';
import { TestProduct } from '@vigie/testing/product';
import { testServers } from '@vigie/testing/servers';

const keys = {
  kept: canary('cle'),
  tried: canary('essai'),
  wrong: canary('fausse'),
  token: canary('jeton'),
  newer: canary('nouvelle'),
};
const email = 'canari@vigie.example';

let product: TestProduct;
let cloudflare: FakeCloudflare;
let intruder: Awaited<ReturnType<typeof connectWithoutKeys>>;
const contents: Record<string, string> = {};

beforeAll(async () => {
  cloudflare = await FakeCloudflare.start();
  const account = cloudflare.addAccount(email, keys.kept);
  cloudflare.addAccount(email, keys.tried);
  cloudflare.addAccount(email, keys.newer);
  cloudflare.addToken(account, keys.token);
  // The trace level logs the most: what it does not log, no level logs.
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'dns-svc'], {
    VIGIE_CLOUDFLARE_URL: cloudflare.url,
    VIGIE_LOG_LEVEL: 'trace',
  });
  intruder = await connectWithoutKeys();
  const recordedMessages = await intruder.listen();
  contents['an answer'] = await useAllKeys(account);
  contents['the bus'] = (await recordedMessages()).map(textOf).join('\n');
  contents['a table'] = [...(await dumpTables(product.database)).values()].join('\n');
  contents['Redis'] = await dumpRedis(testServers().redisUrl, `vigie:${product.keys.gateway.instance}`);
  contents['a log'] = product.processes.map(({ process }) => process.output).join('\n');
});
afterAll(async () => {
  await intruder?.close();
  await product?.stop();
  await cloudflare?.close();
});

/** Uses every key, and returns all answers. */
async function useAllKeys(account: string): Promise<string> {
  const token = await product.login();
  const answers: string[] = [];
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await product.request(method, `/api/cloudflare${path}`, { token, ...(body && { body }) });
    answers.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  };
  await ask('POST', '/config/validate', { email, api_key: keys.wrong });
  await ask('POST', '/config/validate', { email, api_key: keys.tried });
  await ask('POST', '/config', { email, api_key: keys.wrong });
  expect((await ask('POST', '/config', { email, api_key: keys.kept })).status).toBe(201);
  await ask('POST', '/config', { email, api_key: keys.newer, oublie: keys.newer });
  const zone = cloudflare.addZone(account, 'canari.fr');
  await ask('GET', '/account');
  await ask('GET', '/zones');
  cloudflare.failures.push({ of: /GET \/zones\/.*dns_records/, status: 500 });
  cloudflare.failures.push({ of: /POST .*dns_records/, status: 400 });
  await ask('GET', `/zones/${zone.id}/dns`);
  await ask('POST', `/zones/${zone.id}/dns`, { type: 'A', name: 'a', content: '203.0.113.1' });
  await ask('PUT', '/config', { mode: 'api_token', api_key: keys.token });
  cloudflare.revoke(keys.token);
  await ask('GET', `/zones/${zone.id}/dns`);
  await ask('PUT', '/config', { mode: 'global_key', email, api_key: keys.newer });
  await cloudflare.close();
  await ask('GET', `/zones/${zone.id}/dns`);
  await ask('POST', `/zones/${zone.id}/dns`, { type: 'A', name: 'b', content: '203.0.113.1' });
  await ask('GET', '/config');
  return answers.join('\n');
}

describe('a key of Cloudflare', () => {
  it.each(['an answer', 'the bus', 'a table', 'Redis', 'a log'])('never appears in %s', (place) => {
    expect(contents[place]?.length).toBeGreaterThan(100);
    const leaked = Object.entries(keys).filter(([, key]) => containsSecret(contents[place] ?? '', key));
    expect(leaked.map(([name]) => name)).toEqual([]);
  });
});
