import { Stack, Text } from '@mantine/core';
import type { CommandLine } from '@vigie/contracts/site-commands';
import planLine from '../../ui/PlanLine.module.css';
import { plural } from '../../ui/plural';
import { SteppedLines } from '../../ui/SteppedLines';

const Line = ({ line: { site_name: name, url, refusal } }: { line: CommandLine }) => (
  <Stack component="li" gap={0} p="8px 12px" className={planLine['what']}>
    <p>
      <strong>{name}</strong>{' '}
      <Text span inherit c="muted">
        {url.replace(/^https:\/\//, '')}
      </Text>
    </p>
    {refusal !== null && <p className={planLine['refusal']}>{`Laissé de côté\u00a0: ${refusal}`}</p>}
  </Stack>
);

function countSentence(lines: readonly CommandLine[]): string {
  const refused = lines.filter(({ refusal }) => refusal !== null).length;
  const possible = plural(lines.length - refused, 'site', 'sites');
  return refused === 0 ? possible : `${possible}, ${plural(refused, 'laissé de côté', 'laissés de côté')}`;
}

/** The sites on which the command will run, after those that are left out: they are what the user must check. */
export function CommandPlan({ lines }: { lines: readonly CommandLine[] }) {
  const ordered = [
    ...lines.filter(({ refusal }) => refusal !== null),
    ...lines.filter(({ refusal }) => refusal === null),
  ];
  return (
    <Stack gap={8}>
      <Text component="output" c="muted" fz={13}>
        {countSentence(lines)}
      </Text>
      <SteppedLines label="Sites concernés" items={ordered}>
        {(shown) => shown.map((line) => <Line key={line.site_id} line={line} />)}
      </SteppedLines>
    </Stack>
  );
}
