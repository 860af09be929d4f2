import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { addToken, addUser } from '@vigie/testing/people';
import { distFile } from '@vigie/testing/processes';
import { TestProduct } from '@vigie/testing/product';
import { afterAll, beforeAll, expect, it } from 'vitest';

let product: TestProduct;
let session: string;
let token: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  ({ token: session } = await addUser(product, await product.login()));
  token = await addToken(product, session, 'read');
});
afterAll(() => product?.stop());

function vigie(...args: string[]): Promise<{ code: number | null; stdout: string }> {
  const env = { PATH: dirname(process.execPath), LANG: 'C', VIGIE_URL: product.gateways[0], VIGIE_TOKEN: token };
  const child = spawn(distFile('cli/vigie'), args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout }));
  });
}

it('lists the channels of the caller and what they sent', async () => {
  const channel = { kind: 'mail', name: 'Astreinte', min_severity: 'critical' };
  const { status, body } = await product.request('POST', '/api/channels', { token: session, body: channel });
  expect(status).toBe(201);
  expect(await vigie('channels')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Astreinte\tmail\tits owner\tcritical\tyes\t\n$/),
  });
  const sent = await product.request('POST', `/api/channels/${String(body['id'])}/test`, { token: session });
  expect(sent.status).toBe(200);
  const { stdout } = await vigie('deliveries', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ id: sent.body['id'], kind: 'test' }], total: 1 });
  expect((await vigie('deliveries')).stdout).toMatch(/\tAstreinte\ttest\t/);
});
