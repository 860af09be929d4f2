import { expect, it } from '@jest/globals';
import { logIn } from '@vigie/testing/login';
import { SshHost } from '@vigie/testing/sshd';
import { findPhp } from './php';
import { scanSites } from './scan';
import { inspectSite } from './inspect';
import { discoverSites } from './discover';
import { diagnoseSite } from './diagnose';
import { SiteSteps } from './steps';

it('looks', async () => {
  const sshd = await SshHost.start();
  const host = await logIn(sshd);
  try {
    const php = await findPhp(host, null);
    console.log(php);
    let t = performance.now();
    const scans = await scanSites(host, ['/tmp/wpwork/s/w1', '/tmp/nowhere'], { php: php.binary });
    console.log(performance.now() - t, JSON.stringify(scans, null, 1));
    t = performance.now();
    const i = await inspectSite(host, { path: '/tmp/wpwork/s/w1', url: 'http://w1.test' }, { php: php.binary, refreshes: true, api: 'http://127.0.0.1:1' });
    console.log(performance.now() - t, JSON.stringify(i, null, 1));
    t = performance.now();
    console.log(await discoverSites(host, { php: php.binary, extra: ['/tmp/wpwork'] }), performance.now() - t);
    const steps = new SiteSteps();
    steps.note('connect', { state: 'ok', message: '', remedy: null });
    await diagnoseSite(host, { path: '/tmp/wpwork/s/w1', url: 'http://w1.test', php: null }, { steps, api: null });
    console.log(steps.all);
    expect(1).toBe(1);
  } finally {
    await host.close();
    await sshd.stop();
  }
});
