import { describe, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { logInAsHost } from '@vigie/testing/login';
import { aHost, closeAfterTest } from '@vigie/testing/ssh-stage';
import answerPhp from './php/answer.php';
import { phpProgram, runPhp } from './run-php';

const describeHost = onFleet(describe);
const php = '/usr/bin/php';

describeHost('the input of a host program', () => {
  it('is data: 50,000 hostile values arrive as they were sent', async () => {
    const host = closeAfterTest(await logInAsHost(await aHost()));
    const values = Array.from({ length: 50_000 }, (_, seed) => hostile(seed));
    const program = phpProgram(answerPhp, echo);
    for (let from = 0; from < values.length; from += 5_000) {
      const batch = values.slice(from, from + 5_000);
      const limits = { name: 'x', php, seconds: 20, keep: 8_000_000 };
      const { answers } = await runPhp(host, program, { values: batch }, limits);
      expect((answers as { values: string[] }[]).flatMap((each) => each.values)).toEqual(
        batch.map((text) => Buffer.from(text).toString('hex')),
      );
    }
    const lines = values.map((value) => value.replace(/[\0\r\n]/g, '¶'));
    for (let from = 0; from < lines.length; from += 500) {
      const batch = lines.slice(from, from + 500);
      const { stdout } = await host.run('printf "%s\\n" "$@"', { args: batch });
      expect(stdout.bytes.equals(Buffer.from(batch.map((line) => `${line}\n`).join('')))).toBe(true);
    }
  });
});

const words = ['$(id)', '${HOME}', '--', '-e', '%s', '\\n', 'VIGIE_END_OF_PROGRAM', '<?php', '?>', 'EOF', '\u001b[0m'];
const pieces = Array.from('\'"`\\;|&><*!# \t\n\r\0é🎉\u202E~={}').concat(words);

/** Returns the values that it received, as hexadecimal. */
const echo = `<?php
foreach (array_chunk(VigieAnswer::readInput()['values'], 500) as $part) {
    VigieAnswer::send(['values' => array_map('bin2hex', $part)]);
}`;

/** Deterministic: the same seed gives the same value. */
function hostile(seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648);
  return Array.from({ length: 1 + (next() % 6) }, () => pieces[(next() >> 8) % pieces.length]).join('');
}
