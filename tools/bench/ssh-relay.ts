import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const { port, delayMs }: { port: number; delayMs: number } = JSON.parse(process.env['VIGIE_BENCH_RELAY'] ?? '{}');

/** Delays each chunk by `delayMs`. It never stops reading, so that only the windows of SSH limit the throughput. */
function delay(from: Socket, to: Socket): void {
  const chunks: { bytes: Buffer | null; due: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const forward = () => {
    timer = undefined;
    const now = performance.now();
    for (let next = chunks[0]; next && next.due <= now; next = chunks[0]) {
      chunks.shift();
      if (next.bytes) to.write(next.bytes);
      else to.end();
    }
    if (chunks[0]) timer = setTimeout(forward, chunks[0].due - now);
  };
  const add = (bytes: Buffer | null) => {
    chunks.push({ bytes, due: performance.now() + delayMs });
    timer ??= setTimeout(forward, delayMs);
  };
  from.on('data', add).on('end', () => add(null));
  from.on('error', () => to.destroy()).on('close', () => to.destroyed && clearTimeout(timer));
}

const relay = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
  const upstream = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  delay(client, upstream);
  delay(upstream, client);
});
relay.listen(0, '127.0.0.1');
await once(relay, 'listening');
process.once('disconnect', () => process.exit(0));
process.send?.((relay.address() as AddressInfo).port);
