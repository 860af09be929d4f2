import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { aLink, bytes } from './FakeShell';

const settle = () => vi.advanceTimersByTimeAsync(0);

async function openingLink(id?: string) {
  const all = aLink(id);
  all.link.open();
  await settle();
  return all;
}

async function attachedLink() {
  const all = await openingLink();
  all.shell.last.attach();
  return all;
}

/** Reconnects after the first backoff, which is the shortest. */
async function reconnect(shell: ReturnType<typeof aLink>['shell'], changes?: object) {
  await vi.advanceTimersByTimeAsync(1_000);
  shell.last.attach(changes);
}

describe('a console', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('opens with a ticket and its size, shows output and sends input', async () => {
    const { shell, link, output, lastState, attachments } = aLink();
    link.open();
    link.type(bytes('ls\r'));
    await settle();
    expect(shell.last.query).toEqual({ ticket: 'ticket-0', client: expect.any(String), cols: 100, rows: 30 });
    expect(shell.typed).toBe('');
    shell.last.attach();
    expect(lastState()).toEqual({ status: 'connected' });
    expect(attachments).toEqual([{ isNew: true, isReplay: false, lostOutput: 0, lostInput: 0 }]);
    expect(shell.typed).toBe('ls\r');
    shell.print('vitrine\r\n');
    expect(output.text).toBe('vitrine\r\n');
  });

  it('reconnects with a new ticket without losing or doubling a byte', async () => {
    const { shell, link, output, states } = await attachedLink();
    shell.print('un ');
    link.type(bytes('a'));
    shell.isMute = true;
    link.type(bytes('bc'));
    shell.last.end(1006);
    shell.isMute = false;
    shell.print('deux ');
    link.type(bytes('d'));
    expect(states.at(-1)).toEqual({ status: 'reconnecting', attempt: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shell.last.query).toEqual({
      ticket: 'ticket-1',
      client: expect.any(String),
      cols: 100,
      rows: 30,
      console: 'c1',
      from: 3,
      input: 4,
    });
    shell.last.attach();
    shell.print('trois');
    expect(output.text).toBe('un deux trois');
    expect(shell.typed).toBe('abcd');
  });

  it('skips output that it has already shown', async () => {
    const { shell, output } = await attachedLink();
    shell.print('un deux ');
    shell.last.end(1001);
    await reconnect(shell, { from: 3 });
    shell.print('trois');
    expect(output.text).toBe('un deux trois');
  });

  it('reports how much output was lost while it was disconnected', async () => {
    const { shell, output, attachments } = await attachedLink();
    shell.print('x');
    shell.last.end(1006);
    shell.print('y'.repeat(300 * 1024));
    await reconnect(shell);
    const lostOutput = 300 * 1024 - 256 * 1024;
    expect(attachments.at(-1)).toEqual({ isNew: false, isReplay: false, lostOutput, lostInput: 0 });
    expect(output.text.length).toBe(1 + 256 * 1024);
  });

  it('acknowledges consumed output every 32 KiB', async () => {
    const { shell, output } = await attachedLink();
    shell.print('x'.repeat(40 * 1024));
    shell.print('y'.repeat(10 * 1024));
    expect(shell.acknowledged).toBe(0);
    output.consume[0]?.();
    expect(shell.acknowledged).toBe(40 * 1024);
    output.consume[1]?.();
    expect(shell.acknowledged).toBe(40 * 1024);
  });

  it('acknowledges no output of an earlier socket', async () => {
    const { shell, output } = await attachedLink();
    shell.print('x'.repeat(40 * 1024));
    shell.last.end(1006);
    await reconnect(shell);
    output.consume[0]?.();
    expect(shell.acknowledged).toBe(0);
  });

  it('tries five times with growing delays, then waits for the network', async () => {
    const { shell, link, states, lastState } = await attachedLink();
    shell.answer = { trouble: { code: 'unreachable', message: 'Vigie ne répond pas.' }, isFinal: false };
    shell.last.end(1006);
    states.length = 0;
    for (const ms of [1_000, 2_000, 4_000, 8_000]) await vi.advanceTimersByTimeAsync(ms);
    expect(states.map((state) => state.status === 'reconnecting' && state.attempt)).toEqual([2, 3, 4, 5]);
    await vi.advanceTimersByTimeAsync(14_999);
    expect(lastState()).toEqual({ status: 'reconnecting', attempt: 5 });
    await vi.advanceTimersByTimeAsync(1);
    expect(lastState()).toMatchObject({ status: 'lost', trouble: { message: 'Vigie ne répond pas.' } });
    shell.answer = undefined;
    link.wake();
    await settle();
    shell.last.attach();
    expect(lastState()).toEqual({ status: 'connected' });
  });

  it('then tries every 30 seconds, because the shell is kept for 15 minutes', async () => {
    const { shell, lastState } = await attachedLink();
    shell.answer = { trouble: { code: 'unreachable', message: 'Vigie ne répond pas.' }, isFinal: false };
    shell.last.end(1006);
    await vi.advanceTimersByTimeAsync(31_000);
    expect(lastState()?.status).toBe('lost');
    shell.answer = undefined;
    await vi.advanceTimersByTimeAsync(30_000);
    shell.last.attach();
    expect(lastState()?.status).toBe('connected');
  });

  it('reconnects at once when the browser reports that the network is back', async () => {
    const { shell, link } = await attachedLink();
    shell.last.end(1006);
    link.wake();
    await settle();
    expect(shell.sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(shell.sockets).toHaveLength(2);
  });

  it('detects a half-open socket', async () => {
    const { shell, lastState } = await attachedLink();
    await vi.advanceTimersByTimeAsync(2_000);
    shell.isMute = true;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(lastState()?.status).toBe('connected');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lastState()).toEqual({ status: 'reconnecting', attempt: 1 });
    const first = shell.last;
    await vi.advanceTimersByTimeAsync(1_000);
    shell.isMute = false;
    shell.last.attach();
    // Messages of the earlier socket are ignored.
    first.isOpen = true;
    first.deliver(bytes('fantôme'));
    first.end(4404);
    expect(lastState()?.status).toBe('connected');
  });

  it('waits longer for a first login than for a reconnection', async () => {
    const { shell, link, lastState } = aLink();
    link.open();
    await vi.advanceTimersByTimeAsync(44_000);
    expect(lastState()).toBeUndefined();
    shell.last.attach();
    shell.last.end(1006);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(lastState()).toEqual({ status: 'reconnecting', attempt: 2 });
  });

  it('ends with the exit code of its shell and does not reconnect', async () => {
    const { shell, link, lastState } = await attachedLink();
    shell.last.sendFrame({ type: 'exit', code: 3, signal: null });
    shell.last.end(1000);
    link.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lastState()).toEqual({ status: 'ended', code: 3, signal: null });
    expect(shell.sockets).toHaveLength(1);
  });

  it.each([
    [4404, 'gone', false],
    [4401, 'session_ended', false],
    [4409, 'taken_over', true],
    [4429, 'flood', true],
  ])('stops at %i', async (code, name, isAlive) => {
    const { shell, lastState } = await attachedLink();
    shell.last.end(code);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lastState()).toMatchObject({ status: 'gone', trouble: { code: name }, isAlive });
    expect(shell.sockets).toHaveLength(1);
  });

  it.each([1001, 1006, 1011, 4408, 4503])('comes back after %i', async (code) => {
    const { shell, lastState } = await attachedLink();
    shell.last.end(code);
    await reconnect(shell);
    expect(lastState()?.status).toBe('connected');
  });

  it('shows the message of the gateway', async () => {
    const { shell, lastState } = await openingLink();
    const message = '127.0.0.1 refuse les connexions au port 9.';
    shell.last.sendFrame({ type: 'error', code: 'ssh', message });
    shell.last.end(1011);
    expect(lastState()).toEqual({ status: 'gone', trouble: { code: 'ssh', message }, isAlive: false });
  });

  it('does not report a console that never opened as closed', async () => {
    const { shell, lastState } = await openingLink();
    shell.last.sendFrame({ type: 'error', code: 'gone', message: 'Cette console n’existe plus.' });
    shell.last.end(4404);
    expect(lastState()).toMatchObject({ status: 'gone', trouble: { code: 'unopened' }, isAlive: false });
  });

  it('looks up the reason of a refused WebSocket, which browsers hide', async () => {
    const { shell, link, lastState } = aLink();
    shell.reason = { code: 'too_many', message: 'Vous avez déjà 10 consoles ouvertes.' };
    link.open();
    await settle();
    shell.last.end(1006);
    await settle();
    expect(lastState()).toEqual({ status: 'gone', trouble: shell.reason, isAlive: false });
  });

  it('retries a refused WebSocket when no reason is found, and shows the error at once', async () => {
    const { shell, lastState } = await openingLink();
    shell.last.end(1006);
    await settle();
    const unopened = { code: 'unreachable', message: "Échec d'ouverture de la console SSH (WebSocket)." };
    expect(lastState()).toEqual({ status: 'reconnecting', attempt: 1, unopened });
  });

  it('reconnects while the gateway reports an unreachable agent', async () => {
    const { shell, lastState } = await attachedLink();
    shell.last.sendFrame({ type: 'error', code: 'unavailable', message: 'L’agent ne répond pas.' });
    shell.last.end(4503);
    expect(lastState()).toEqual({ status: 'reconnecting', attempt: 1 });
  });

  it('stops when a ticket is refused for good', async () => {
    const { shell, link, lastState } = aLink();
    shell.answer = { trouble: { code: 'server_gone', message: 'Ce serveur n’existe plus.' }, isFinal: true };
    link.open();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lastState()).toMatchObject({ status: 'gone', trouble: { code: 'server_gone' } });
    expect(shell.sockets).toEqual([]);
  });

  it('replays earlier output after a reload, and marks it as a replay', async () => {
    const { shell, link, output, attachments } = aLink('c1');
    shell.printed = bytes('$ vim');
    shell.typed = 'vim';
    link.open();
    link.type(bytes('\r'));
    await settle();
    expect(shell.last.query).toMatchObject({ console: 'c1', from: 0, input: 1 });
    shell.last.attach();
    expect(attachments).toEqual([{ isNew: false, isReplay: true, lostOutput: 0, lostInput: 0 }]);
    expect(output.text).toBe('$ vim');
    expect(shell.typed).toBe('vim\r');
  });

  it('types nothing twice when a console is taken over and taken back', async () => {
    const { shell, link, lastState } = await attachedLink();
    shell.isMute = true;
    link.type(bytes('rm'));
    shell.isMute = false;
    shell.last.sendFrame({ type: 'error', code: 'taken_over', message: 'Reprise ailleurs.' });
    shell.last.end(4409);
    shell.receiveInput('xy');
    link.retry();
    await settle();
    shell.last.attach();
    expect(lastState()?.status).toBe('connected');
    link.type(bytes('z'));
    expect(shell.typed).toBe('xyz');
  });

  it('drops pending input when another page typed meanwhile, and reports it', async () => {
    const { shell, link, attachments } = await attachedLink();
    shell.isMute = true;
    link.type(bytes('rm -rf'));
    shell.last.end(1006);
    link.type(bytes(' ./old\r'));
    shell.isMute = false;
    shell.receiveInput('12345');
    await reconnect(shell);
    expect(attachments.at(-1)).toMatchObject({ lostInput: 13 });
    link.type(bytes('z'));
    expect(shell.typed).toBe('12345z');
  });

  it('reports no loss of input that the gateway acknowledged when another page typed', async () => {
    const { shell, link, attachments } = await attachedLink();
    link.type(bytes('ls\r'));
    link.wake();
    shell.last.end(1006);
    shell.receiveInput('12345');
    await reconnect(shell);
    expect(attachments.at(-1)).toMatchObject({ lostInput: 0 });
    link.type(bytes('z'));
    expect(shell.typed).toBe('ls\r12345z');
  });

  it('sends pending input when another page typed only before this one connected', async () => {
    const { shell, link, attachments } = aLink('c1');
    shell.receiveInput('12345');
    link.open();
    await settle();
    shell.last.attach();
    shell.last.end(1006);
    link.type(bytes('ls\r'));
    await reconnect(shell);
    expect(attachments.at(-1)).toMatchObject({ lostInput: 0 });
    expect(shell.typed).toBe('12345ls\r');
  });

  it('keeps one client id over all its sockets, different from that of the next link', async () => {
    const { shell } = await attachedLink();
    shell.last.end(1006);
    await vi.advanceTimersByTimeAsync(1_000);
    const [first, second] = shell.sockets.map(({ query }) => query.client);
    const next = (await attachedLink()).shell.last.query.client;
    expect(z.uuid().safeParse(first).success).toBe(true);
    expect(second).toBe(first);
    expect(next).not.toBe(first);
  });

  it('sends a paste larger than the input buffer whole, and the key after it once', async () => {
    const { shell, link } = await attachedLink();
    link.type(bytes('x'.repeat(1.5 * 1024 * 1024)));
    link.type(bytes('y'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shell.typed.length).toBe(1.5 * 1024 * 1024 + 1);
    expect(shell.typed.indexOf('y')).toBe(1.5 * 1024 * 1024);
  });

  it('keeps a large paste while it is disconnected, whether sent or not', async () => {
    const { shell, link, attachments } = await attachedLink();
    shell.isMute = true;
    link.type(bytes('x'.repeat(1.5 * 1024 * 1024)));
    await vi.advanceTimersByTimeAsync(5_000);
    shell.last.end(1006);
    shell.isMute = false;
    link.type(bytes('y'));
    await reconnect(shell);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(attachments.at(-1)).toMatchObject({ lostInput: 0 });
    expect(shell.typed.length).toBe(1.5 * 1024 * 1024 + 1);
  });

  it('sends a large paste in parts, whole', async () => {
    const { shell, link } = await attachedLink();
    const paste = 'é'.repeat(50_000);
    link.type(bytes(paste));
    expect(shell.typed.length).toBeLessThan(10_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bytes(shell.typed).length).toBe(100_000);
  });

  it('sends a new size once, including one that changed during the connection', async () => {
    const { shell, link } = await openingLink();
    link.resize({ cols: 120, rows: 40 });
    shell.last.attach();
    link.resize({ cols: 120, rows: 40 });
    const sizes = shell.frames.filter(({ type }) => type === 'resize');
    expect(sizes).toEqual([{ type: 'resize', cols: 120, rows: 40 }]);
  });

  it('leaves the shell running when the page is closed', async () => {
    const { shell, link } = await attachedLink();
    link.leave();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(shell.sockets).toHaveLength(1);
    expect(shell.frames.map(({ type }) => type)).toEqual(['ping']);
  });
});
