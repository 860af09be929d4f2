import { expect, it } from '@jest/globals';
import { freePort, TestProduct } from '@vigie/testing/product';

it('measures requests by route on a port of its own, and nowhere else', async () => {
  const port = await freePort();
  const product = await TestProduct.start(['gateway'], { VIGIE_METRICS_PORT: String(port) });
  try {
    await product.request('GET', '/api/health/live');
    const scraped = await fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text());
    expect(scraped).toContain('vigie_http_request_seconds_count{method="GET",route="/api/health/live",status="200"} 1');
    expect((await product.request('GET', '/metrics')).text).not.toContain('vigie_http');
  } finally {
    await product.stop();
  }
});
