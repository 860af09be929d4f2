import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentFrame, type GatewayFrame } from '@vigie/contracts/console-frames';
import { ConsoleLine } from '@vigie/service-kit/console-line';
import { FakeSsh } from '@vigie/testing/hostile-ssh';
import { hostPassword, SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { Attachment } from './attachment';
import { Shell, type ShellLimits, defaultLimits } from './shell';
import type { ShellEnd } from './troubles';

let host: SshHost;
beforeAll(async () => {
  host = await SshHost.start();
});
afterAll(() => host?.stop());

function makeShell(limits: Partial<ShellLimits> = {}) {
  const ends: ShellEnd[] = [];
  const hooks = { onEnd: (end: ShellEnd) => ends.push(end), onAttachmentChange: () => undefined };
  const owner = { id: randomUUID(), userId: randomUUID(), sid: randomUUID() };
  return { shell: new Shell(owner, { cols: 80, rows: 24 }, { ...defaultLimits, ...limits }, hooks), ends };
}

const targetAt = (port: number) => {
  const auth = { password: hostPassword };
  return { host: '127.0.0.1', port, user: 'sh', auth, hostKey: null, mayConnect: () => true };
};

async function openShell(limits: Partial<ShellLimits> = {}, { port }: { port: number } = host) {
  const { shell, ends } = makeShell(limits);
  // Attached before the timers of a shell without a client run out, on a slow machine too.
  const first = attach(shell);
  await shell.open(targetAt(port), async () => undefined);
  return { shell, ends, first };
}

/** The gateway's end of an attachment, without a bus between. */
function attach(shell: Shell, from = 0, client: string = randomUUID()) {
  const frames: AgentFrame[] = [];
  const output = { text: '', bytes: 0 };
  const key = randomBytes(32).toString('base64');
  const line = new ConsoleLine('gateway', { key }, 'x', AgentFrame, (frame) => attachment.receiveSealed(frame));
  const publish = (sealed: Buffer) => {
    const frame = line.open(sealed);
    if (Buffer.isBuffer(frame)) {
      output.text += frame.toString();
      output.bytes += frame.length;
    } else if (frame !== undefined && frame !== 'missed') frames.push(frame);
  };
  const attachment: Attachment = new Attachment(
    { key, from, client, size: null, keeps: true, sealContext: 'x', publish },
    {
      write: (bytes) => shell.write(bytes),
      receive: (frame) => shell.receive(attachment, frame),
      reportLoss: () => shell.detachAfterLoss(attachment),
    },
  );
  shell.attach(attachment);
  return {
    attachment,
    client,
    frames,
    seen: output,
    type: (text: string) => line.sendBytes(Buffer.from(text)),
    say: (frame: GatewayFrame) => line.send(frame),
    attached: () => frames.find((frame) => frame.type === 'attached'),
  };
}

/** No process that was started on the host is left. */
const noSession = () => until(() => host.userProcesses().length === 0);

it('ends when no client comes back, and not while one is attached', async () => {
  const { shell, ends, first } = await openShell({ abandonMs: 400 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(ends).toEqual([]);
  first.say({ type: 'detach' });
  const second = attach(shell);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(ends).toEqual([]);
  second.type('sleep 1000\r');
  await until(() => host.userProcesses().length === 2);
  second.say({ type: 'detach' });
  await until(() => ends.length === 1);
  expect(ends).toEqual([{ reason: 'abandoned', failure: null }]);
  await noSession();
});

it('ends with its client when no client knows of it yet', async () => {
  const slow = await FakeSsh.start({ opens: false });
  for (const leave of ['detach', 'lose'] as const) {
    const { shell, ends } = makeShell();
    const { say, attachment } = attach(shell);
    const opened = shell.open(targetAt(slow.port), async () => undefined).catch(() => 'ended');
    if (leave === 'detach') say({ type: 'detach' });
    else shell.detachAfterLoss(attachment);
    expect(ends).toEqual([{ reason: 'closed', failure: null }]);
    expect(await opened).toBe('ended');
  }
  await slow.close();
});

it('tells a client that comes back whether another one has typed meanwhile', async () => {
  const { shell, first } = await openShell();
  const attachAndType = (client: string, text: string) => {
    const output = attach(shell, 0, client);
    if (text !== '') output.type(text);
    output.say({ type: 'detach' });
    return output.attached();
  };
  const { client } = first;
  expect(first.attached()).toMatchObject({ input: 0, is_others: false });
  expect(attachAndType(client, ':')).toMatchObject({ input: 0, is_others: false });
  expect(attachAndType(client, '')).toMatchObject({ input: 1, is_others: false });
  expect(attachAndType(randomUUID(), ' autre')).toMatchObject({ input: 1, is_others: true });
  expect(attachAndType(client, '')).toMatchObject({ input: 7, is_others: true });
  expect(attachAndType(client, ' moi')).toMatchObject({ input: 7, is_others: true });
  expect(attachAndType(client, '')).toMatchObject({ input: 11, is_others: false });
  shell.end({ reason: 'closed', failure: null });
});

it('detaches a silent client', async () => {
  const { shell } = await openShell({ silenceMs: 0 });
  expect(shell.isAttached).toBe(true);
  await until(() => {
    shell.detachIfSilent();
    return !shell.isAttached;
  });
  shell.end({ reason: 'closed', failure: null });
  await noSession();
});

it('keeps output for a client that is away, then overwrites it, and says how much is lost', async () => {
  const { shell, ends, first } = await openShell({ patienceMs: 500 });
  first.type('stty -echo -opost; printf "de%s" but; seq 1 300000; echo; echo pa"sse"; sleep 1000\r');
  await until(() => first.seen.text.includes('debut'));
  first.say({ type: 'detach' });
  const { bytes } = first.seen;
  // More output than is kept arrives while no client is attached.
  await until(() => shell.bytesOut > 1_500_000);
  const second = attach(shell, bytes);
  await until(() => second.seen.text.includes('passe'));
  const attached = second.attached();
  expect(attached).toMatchObject({ from: expect.any(Number), is_new: false });
  const { from, lost } = attached ?? { from: 0, lost: 0 };
  expect(lost).toBeGreaterThan(0);
  expect(from - lost).toBe(bytes);
  expect(second.seen.text.slice(-200)).toContain('299999\n300000\n');
  second.say({ type: 'close' });
  expect(ends).toEqual([{ reason: 'closed', failure: null }]);
});

it('is read no faster than its client acknowledges, to the byte', async () => {
  const { shell, first: only } = await openShell();
  only.type('stty -opost; yes\r');
  await until(() => only.seen.bytes > 200_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(shell.bytesOut).toBeLessThanOrEqual(262_144);
  for (let round = 0; round < 20; round += 1) {
    const before = only.seen.bytes;
    only.say({ type: 'ack', offset: before });
    await until(() => only.seen.bytes > before);
    expect(shell.bytesOut - before).toBeLessThanOrEqual(262_144);
  }
  // A client cannot acknowledge output that was never sent.
  only.say({ type: 'ack', offset: Number.MAX_SAFE_INTEGER });
  await until(() => shell.bytesOut > 262_144);
  await new Promise((resolve) => setTimeout(resolve, 200));
  shell.end({ reason: 'closed', failure: null });
  expect(only.frames.at(-1)).toEqual({ type: 'exit', code: null, signal: null });
});

it('reads stderr no faster than its client acknowledges either', async () => {
  const flooding = await FakeSsh.start({
    shell: ({ stderr }) => {
      const flood = () => {
        while (stderr.write(Buffer.alloc(32_768, 'x')));
        stderr.once('drain', flood);
      };
      flood();
    },
  });
  const { shell, first } = await openShell({}, flooding);
  await until(() => first.seen.bytes > 200_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(shell.bytesOut).toBeLessThanOrEqual(262_144);
  first.say({ type: 'ack', offset: first.seen.bytes });
  await until(() => first.seen.bytes > 400_000);
  shell.end({ reason: 'closed', failure: null });
  await flooding.close();
});
