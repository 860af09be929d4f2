import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { aHost, failureOf, logInTo } from '@vigie/testing/ssh-stage';
import { SshHost, whyNoHost } from '@vigie/testing/sshd';
import { downloadStriped } from './stripes';

const block = 1_048_576;
const noisy = { '.bashrc': 'echo noise; seq 1000\n' };
let shared: SshHost | undefined;
afterAll(() => shared?.stop());
const defaultHost = async () => (shared ??= await SshHost.start({ home: noisy, settings: ['RekeyLimit 4M'] }));

async function loggedIn(settings?: readonly string[]) {
  const sshd = await (settings ? aHost({ home: noisy, settings }) : defaultHost());
  const connection = await logInTo(sshd, { user: 'bash' });
  return { connection, path: `${sshd.home}/it's a "file" $x é -n` };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const missing = whyNoHost();
(missing ? describe.skip : describe)(`a striped download ${missing ?? ''}`, () => {
  it.each([0, 1, block, block + 1, 11 * block - 5])('gives %i bytes in their order', async (bytes) => {
    const { connection, path } = await loggedIn();
    const content = randomBytes(bytes);
    writeFileSync(path, content);
    const came: Buffer[] = [];
    const take = (part: Buffer) => void came.push(Buffer.from(part));
    const went = await downloadStriped(connection, path, take, { bytes });
    expect(went).toEqual({ bytes, sha256: sha256(content) });
    expect(Buffer.concat(came).equals(content)).toBe(true);
  });

  it('gives nothing more while something is not taken', async () => {
    const { connection, path } = await loggedIn();
    const content = randomBytes(12 * block);
    writeFileSync(path, content);
    let taking = 0;
    let max = 0;
    const take = async () => {
      max = Math.max(max, ++taking);
      await new Promise((resolve) => setImmediate(resolve));
      taking -= 1;
    };
    const went = await downloadStriped(connection, path, take, { bytes: content.length });
    expect([went.sha256, max]).toEqual([sha256(content), 1]);
  });

  it.each([1, 2])('does with %i channels where the host has no room for more', async (sessions) => {
    const { connection, path } = await loggedIn([`MaxSessions ${sessions}`]);
    const content = randomBytes(9 * block + 3);
    writeFileSync(path, content);
    const went = await downloadStriped(connection, path, () => undefined, { bytes: content.length });
    expect(went.sha256).toBe(sha256(content));
  });

  it('says so when the file has another size, or is none', async () => {
    const { connection, path } = await loggedIn();
    writeFileSync(path, Buffer.alloc(5 * block));
    for (const bytes of [5 * block + 1, 5 * block - 1, 4 * block + 1, 20 * block]) {
      const failure = await failureOf(downloadStriped(connection, path, () => undefined, { bytes }));
      expect(failure.kind).toBe('changed-file');
    }
    const absent = await failureOf(downloadStriped(connection, `${path}-`, () => undefined, { bytes: 3 * block }));
    expect([absent.kind, absent.message]).toEqual(['changed-file', expect.stringContaining('not a file')]);
  });

  it('ends all channels when it is cancelled or when nobody takes it any more', async () => {
    const { connection, path } = await loggedIn();
    writeFileSync(path, Buffer.alloc(40 * block));
    const stop = new AbortController();
    const take = () => stop.abort();
    const cut = downloadStriped(connection, path, take, { bytes: 40 * block, signal: stop.signal });
    expect((await failureOf(cut)).kind).toBe('cancelled');
    const full = () => Promise.reject(new Error('disk full'));
    await expect(downloadStriped(connection, path, full, { bytes: 40 * block })).rejects.toThrow('disk full');
    while (connection.commands > 0) await new Promise<void>((resolve) => (connection.onFreed = resolve));
    expect(connection.isOpen).toBe(true);
  });
});
