import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForOutcome } from '@vigie/testing/answers';
import { TestProduct } from '@vigie/testing/product';
import { hostPassword, SshHost } from '@vigie/testing/sshd';

let product: TestProduct;
let host: SshHost;
let root: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  host = await SshHost.start({ home: { '.ssh/rc': `echo 'Bienvenue, ${hostPassword}' >&2` } });
  root = await product.login();
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
});

const ask = (path: string, body: object) => product.request('POST', `/api/sites${path}`, { token: root, body });

it('shows what the host printed when a test fails, and never a password', async () => {
  const at = { host: '127.0.0.1', port: host.port, user: 'sh', auth: { password: hostPassword } };
  const connection = { ssh: { ...at, wp_path: '/srv/nulle-part' } };
  const { body } = await ask('', { name: 'Boutique', url: 'https://exemple.fr', connection });
  const failed = await waitForOutcome(product, root, await ask(`/${String(body['id'])}/test`, {}));
  expect(failed.body['detail']).toMatchObject({
    message: expect.stringContaining('/srv/nulle-part'),
    stdout: '',
    stderr: expect.stringContaining('Bienvenue, •••'),
    steps: expect.any(Array),
  });
});

it('says that nothing was printed when the host is unreachable', async () => {
  const connection = { ssh: { host: '127.0.0.1', port: 9, user: 'sh', wp_path: '/srv/www' } };
  const { body } = await ask('', { name: 'Ailleurs', url: 'https://ailleurs.fr', connection });
  const failed = await waitForOutcome(product, root, await ask(`/${String(body['id'])}/test`, {}));
  expect(failed.body['detail']).toMatchObject({ code: 'refused', stdout: '', stderr: '' });
});
