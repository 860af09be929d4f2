import { expect, it } from 'vitest';
import { runInContext } from '@vigie/service-kit/context';
import { Metrics } from '@vigie/service-kit/metrics';
import { type EndedSpan, exportSpans } from '@vigie/service-kit/traces';
import { SshFailure } from '@vigie/ssh/failure';
import { measureCommand } from './measured-connect';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it('records the file, target and end of a program, and nothing of its output', async () => {
  const metrics = await Metrics.create('test');
  const spans: EndedSpan[] = [];
  exportSpans((span) => spans.push(span));
  runInContext({ requestId: 'r', traceparent }, () => {
    measureCommand('pack.sh', 'site')({ code: 0 });
    measureCommand('pack.sh', undefined)({ code: 3 });
    measureCommand('pack.sh', 'site')({ code: null, failure: new SshFailure({ kind: 'closed', detail: 'un secret' }) });
  });
  expect(spans.map(({ attributes, isFailed }) => ({ ...attributes, isFailed }))).toEqual([
    { 'vigie.target.id': 'site', 'process.exit.code': 0, isFailed: false },
    { 'process.exit.code': 3, isFailed: true },
    { 'vigie.target.id': 'site', 'error.type': 'closed', isFailed: true },
  ]);
  expect(JSON.stringify(spans)).not.toContain('secret');
  const text = await metrics.text();
  for (const outcome of ['succeeded', 'failed', 'unknown']) {
    expect(text).toContain(`vigie_ssh_command_seconds_count{app="test",payload="pack.sh",outcome="${outcome}"} 1`);
  }
});
