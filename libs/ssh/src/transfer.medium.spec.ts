import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { failureOf, logInTo } from '@vigie/testing/ssh-stage';
import { SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { download, upload } from './transfer';

let shared: SshHost | undefined;
afterAll(() => shared?.stop());

async function loggedIn() {
  // The login prints noise, and keys are exchanged again during transfers.
  shared ??= await SshHost.start({ home: { '.bashrc': 'echo noise; seq 1000\n' }, settings: ['RekeyLimit 4M'] });
  const { home } = shared;
  return { connection: await logInTo(shared, { user: 'bash' }), file: (name: string) => `${home}/${name}` };
}

async function* blocksOf(content: Buffer, size = 300_000) {
  for (let offset = 0; offset < content.length; offset += size) yield content.subarray(offset, offset + size);
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const awkward = `it's a "file" $x é🔑 -n`;

const missing = hostUnavailableReason();
(missing ? describe.skip : describe)(`a transfer ${missing ?? ''}`, () => {
  it('copies a file in both directions, with an awkward name and a noisy login', async () => {
    const { connection, file } = await loggedIn();
    const content = randomBytes(20_000_003);
    const sent = await upload(connection, file(awkward), blocksOf(content));
    expect(sent).toEqual({ bytes: content.length, sha256: sha256(content) });
    expect(sha256(readFileSync(file(awkward)))).toBe(sent.sha256);
    expect(statSync(file(awkward)).mode & 0o777).toBe(0o600);
    const received: Buffer[] = [];
    const slowly = async (bytes: Buffer) => {
      received.push(bytes);
      await new Promise((resolve) => setImmediate(resolve));
    };
    expect(await download(connection, file(awkward), slowly)).toEqual(sent);
    expect(Buffer.concat(received).equals(content)).toBe(true);
  });

  it('resumes from any offset, the end included', async () => {
    const { connection, file } = await loggedIn();
    writeFileSync(file('a'), '0123456789');
    const rest = async (from: number) => {
      let text = '';
      await download(connection, file('a'), (bytes) => void (text += bytes.toString()), { from });
      return text;
    };
    expect([await rest(0), await rest(4), await rest(10)]).toEqual(['0123456789', '456789', '']);
  });

  it('sends an empty file', async () => {
    const { connection, file } = await loggedIn();
    expect((await upload(connection, file('empty'), blocksOf(Buffer.alloc(0)))).bytes).toBe(0);
    expect(readFileSync(file('empty'))).toHaveLength(0);
  });

  it('overwrites no file and follows no link', async () => {
    const { connection, file } = await loggedIn();
    writeFileSync(file('old'), 'old');
    symlinkSync(file('elsewhere'), file('link'));
    for (const name of ['old', 'link']) {
      expect(await failureOf(upload(connection, file(name), blocksOf(Buffer.from('new'))))).toMatchObject({
        kind: 'changed-file',
      });
    }
    expect([readFileSync(file('old'), 'utf8'), existsSync(file('elsewhere'))]).toEqual(['old', false]);
  });

  it('says why a file cannot be read', async () => {
    const { connection, file } = await loggedIn();
    for (const name of ['absent', '']) {
      const failure = await failureOf(download(connection, file(name), () => undefined));
      expect([failure.kind, failure.message]).toEqual(['changed-file', expect.stringContaining('not a file')]);
    }
    await expect(download(connection, 'relative', () => undefined)).rejects.toThrow('absolute');
  });

  it('ends at once when it is cancelled', async () => {
    const { connection, file } = await loggedIn();
    writeFileSync(file('big'), Buffer.alloc(30_000_000));
    const stop = new AbortController();
    const consume = () => stop.abort();
    const cut = download(connection, file('big'), consume, { signal: stop.signal });
    expect((await failureOf(cut)).kind).toBe('cancelled');
  });
});
