import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const { port, delayMs }: { port: number; delayMs: number } = JSON.parse(process.env['VIGIE_BENCH_RELAY'] ?? '{}');

/**
 * Passes on each piece `delayMs` after it came. It always reads on: what limits the pace is the windows of SSH, as on a
 * long line.
 */
function delay(from: Socket, to: Socket): void {
  const pieces: { bytes: Buffer | null; due: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pass = () => {
    timer = undefined;
    const now = performance.now();
    for (let next = pieces[0]; next && next.due <= now; next = pieces[0]) {
      pieces.shift();
      if (next.bytes) to.write(next.bytes);
      else to.end();
    }
    if (pieces[0]) timer = setTimeout(pass, pieces[0].due - now);
  };
  const add = (bytes: Buffer | null) => {
    pieces.push({ bytes, due: performance.now() + delayMs });
    timer ??= setTimeout(pass, delayMs);
  };
  from.on('data', add).on('end', () => add(null));
  from.on('error', () => to.destroy()).on('close', () => to.destroyed && clearTimeout(timer));
}

const relay = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
  const far = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  delay(near, far);
  delay(far, near);
});
relay.listen(0, '127.0.0.1');
await once(relay, 'listening');
process.once('disconnect', () => process.exit(0));
process.send?.((relay.address() as AddressInfo).port);
