import { createServer } from 'node:http';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = {
  observe: (method: string, route: string, status: number, seconds: number) => void;
  close: () => Promise<void>;
};

const off: Metrics = { observe: () => undefined, close: async () => undefined };

/** Prometheus on a port of its own, so that publishing the application does not publish it. */
export async function openMetrics(port: number | undefined, host: string): Promise<Metrics> {
  if (port === undefined) return off;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'vigie_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
    registers: [registry],
  });
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end();
    else void registry.metrics().then((text) => response.setHeader('content-type', registry.contentType).end(text));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    observe: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
