import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { DnsStage, type ZoneOwner } from '@vigie/testing/dns';
import { addToken } from '@vigie/testing/people';
import { distFile } from '@vigie/testing/processes';
import { afterAll, beforeAll, expect, it } from 'vitest';

let stage: DnsStage;
let zone: ZoneOwner;
let token: string;
beforeAll(async () => {
  stage = await DnsStage.shared();
  const shop = { type: 'A', content: '192.0.2.1', ttl: 300, proxied: false };
  zone = await stage.addZoneOwner([
    { ...shop, name: 'boutique' },
    { ...shop, name: 'www' },
    { ...shop, name: 'www', content: '192.0.2.2' },
  ]);
  token = await addToken(stage.product, zone.token, 'read', 'dns');
});
afterAll(() => stage?.stop());

function vigie(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { PATH: dirname(process.execPath), LANG: 'C', VIGIE_URL: stage.product.gateways[0], VIGIE_TOKEN: token };
  const child = spawn(distFile('cli/vigie'), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, ...texts }));
  });
}
const contents = () => zone.stored.records.map(({ content }) => content);

it('lists zones and their records', async () => {
  expect((await vigie('dns', 'zones')).stdout).toContain(zone.name);
  const { stdout } = await vigie('dns', 'records', zone.name, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ records: [{ display_name: 'boutique' }, {}, {}] });
});

it('shows a change first, and makes it only when told', async () => {
  const add = ['dns', 'add', zone.name, 'A', 'essai', '192.0.2.9'];
  expect(await vigie(...add, '--plan')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`+ A essai.${zone.name}`),
  });
  expect(await vigie(...add)).toMatchObject({ code: 2 });
  expect(contents()).not.toContain('192.0.2.9');
  const refused = await vigie('dns', 'set', zone.name, 'A', 'boutique', 'pas une adresse', '--plan');
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(await vigie(...add, '--yes', '--ttl', '300')).toMatchObject({ code: 0 });
  expect(contents()).toContain('192.0.2.9');
  const { stdout } = await vigie('dns', 'set', zone.name, 'A', 'essai', '192.0.2.9', '--yes', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ differences: [{ action: 'none' }] });
});

it('changes and deletes the record that is named, and none of several', async () => {
  const set = await vigie('dns', 'set', zone.name, 'A', 'boutique', '192.0.2.7', '--yes');
  expect(set).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^- A .*192\.0\.2\.1 [^]*^\+ A .*192\.0\.2\.7 /m),
  });
  expect(await vigie('dns', 'delete', zone.name, 'A', 'www', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('choose by --id'),
  });
  expect(contents()).toEqual(expect.arrayContaining(['192.0.2.1', '192.0.2.2', '192.0.2.7']));
  expect(await vigie('dns', 'delete', zone.name, 'A', 'www', '192.0.2.2', '--yes')).toMatchObject({ code: 0 });
  expect(contents()).not.toContain('192.0.2.2');
});

it('is refused without the scope, in the words of the server', async () => {
  const reader = await addToken(stage.product, zone.token, 'read');
  token = reader;
  expect(await vigie('dns', 'set', zone.name, 'A', 'boutique', '192.0.2.8', '--yes')).toMatchObject({ code: 3 });
});
