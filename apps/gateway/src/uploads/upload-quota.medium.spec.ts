import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { sendArchive } from '@vigie/testing/uploads';
import { aPlugin } from '@vigie/testing/zip';

let product: TestProduct;
let root: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc'], { VIGIE_UPLOADS_MEGABYTES: '1' });
  root = await product.login();
});
afterAll(() => product?.stop());

/** An archive of that many kilobytes, which do not compress. */
const archiveOf = (kilobytes: number) =>
  aPlugin({ more: [{ name: 'boussole/carte.bin', content: randomBytes(kilobytes * 1_024), isStored: true }] });

it('limits the uploads of one user, and frees space when they are deleted or replaced', async () => {
  const { token } = await addUser(product, root);
  const send = (kilobytes: number, name: string, query = '', sender = token) =>
    sendArchive(product, archiveOf(kilobytes), name, { token: sender, query });
  expect((await send(600, 'un.zip')).status).toBe(201);
  const refused = await send(600, 'deux.zip');
  expect([refused.status, refused.body['detail']]).toEqual([
    409,
    { code: 'upload_quota', message: expect.stringContaining('les 1\u00a0Mo permis à chacun') },
  ]);
  expect((await send(700, 'un.zip', '?replace=1')).status).toBe(201);
  expect((await send(600, 'deux.zip', '', root)).status).toBe(201);
  await product.request('DELETE', '/api/uploads/plugins/un.zip', { token });
  expect((await send(600, 'deux.zip')).status).toBe(201);
});

it('keeps no more of several simultaneous uploads than fit into the quota', async () => {
  const { token, id } = await addUser(product, root);
  const names = Array.from({ length: 5 }, (_, n) => `a${n}.zip`);
  const sent = await Promise.all(names.map((name) => sendArchive(product, archiveOf(450), name, { token })));
  expect(sent.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(sent.filter(({ status }) => status === 409)).toHaveLength(3);
  const { rows } = await product.database.query('select 1 from sites.uploads where owner_id = $1', [id]);
  expect(rows).toHaveLength(2);
});
