import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { aHost, failureOf, logInTo } from '@vigie/testing/ssh-stage';
import { SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
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

const missing = hostUnavailableReason();
(missing ? describe.skip : describe)(`a striped download ${missing ?? ''}`, () => {
  it.each([0, 1, block, block + 1, 11 * block - 5])('delivers %i bytes in order', async (bytes) => {
    const { connection, path } = await loggedIn();
    const content = randomBytes(bytes);
    writeFileSync(path, content);
    const received: Buffer[] = [];
    const consume = (part: Buffer) => void received.push(Buffer.from(part));
    const result = await downloadStriped(connection, path, consume, { bytes });
    expect(result).toEqual({ bytes, sha256: sha256(content) });
    expect(Buffer.concat(received).equals(content)).toBe(true);
  });

  it('delivers nothing while the consumer is busy', async () => {
    const { connection, path } = await loggedIn();
    const content = randomBytes(12 * block);
    writeFileSync(path, content);
    let running = 0;
    let max = 0;
    const consume = async () => {
      max = Math.max(max, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    const result = await downloadStriped(connection, path, consume, { bytes: content.length });
    expect([result.sha256, max]).toEqual([sha256(content), 1]);
  });

  it.each([1, 2])('works with %i channels when the host accepts no more', async (sessions) => {
    const { connection, path } = await loggedIn([`MaxSessions ${sessions}`]);
    const content = randomBytes(9 * block + 3);
    writeFileSync(path, content);
    const result = await downloadStriped(connection, path, () => undefined, { bytes: content.length });
    expect(result.sha256).toBe(sha256(content));
  });

  it('fails when the file has another size or is missing', async () => {
    const { connection, path } = await loggedIn();
    writeFileSync(path, Buffer.alloc(5 * block));
    for (const bytes of [5 * block + 1, 5 * block - 1, 4 * block + 1, 20 * block]) {
      const failure = await failureOf(downloadStriped(connection, path, () => undefined, { bytes }));
      expect(failure.kind).toBe('changed-file');
    }
    const absent = await failureOf(downloadStriped(connection, `${path}-`, () => undefined, { bytes: 3 * block }));
    expect([absent.kind, absent.message]).toEqual(['changed-file', expect.stringContaining('not a file')]);
  });

  it('ends all channels when it is cancelled or its consumer fails', async () => {
    const { connection, path } = await loggedIn();
    writeFileSync(path, Buffer.alloc(40 * block));
    const stop = new AbortController();
    const consume = () => stop.abort();
    const cut = downloadStriped(connection, path, consume, { bytes: 40 * block, signal: stop.signal });
    expect((await failureOf(cut)).kind).toBe('cancelled');
    const full = () => Promise.reject(new Error('disk full'));
    await expect(downloadStriped(connection, path, full, { bytes: 40 * block })).rejects.toThrow('disk full');
    while (connection.commands > 0) await new Promise<void>((resolve) => (connection.onFreed = resolve));
    expect(connection.isOpen).toBe(true);
  });
});
