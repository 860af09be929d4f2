import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'gateway', 'auth-svc'], {
    VIGIE_REQUESTS_PER_MINUTE: '60',
    VIGIE_TRUSTED_HOPS: '1',
  });
});
afterAll(() => product?.stop());

const live = (at: number) => product.request('GET', '/api/nothing', { at });

it('limits the requests of an address over all gateways, and says for how long', async () => {
  for (let n = 0; n < 60; n += 1) expect((await live(0)).status).toBe(404);
  const refused = await live(0);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // The other gateway learns of them as soon as it shares a request of its own.
  await until(async () => (await live(1)).status === 429);
  // A probe is never refused: a flood must not make the product look dead.
  expect((await product.request('GET', '/api/health/live')).status).toBe(200);
});

it('takes a network of IPv6 for one address, and its neighbour for another', async () => {
  const from = async (address: string) =>
    (await product.request('GET', '/api/nothing', { headers: { 'x-forwarded-for': address } })).status;
  for (let n = 0; n < 60; n += 1) expect(await from(`2001:db8:1:2::${n}`)).toBe(404);
  expect([await from('2001:db8:1:2:ffff::1'), await from('2001:db8:1:3::1')]).toEqual([429, 404]);
});
