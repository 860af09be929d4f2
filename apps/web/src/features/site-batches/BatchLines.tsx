import { Group, Stack } from '@mantine/core';
import type { SiteBatchLine } from '@vigie/contracts/site-batches';
import table from '../../kit/list/list.module.css';
import planLine from '../../ui/PlanLine.module.css';
import { formatNumber } from '../../ui/plural';
import { SteppedLines } from '../../ui/SteppedLines';
import { RowCheckbox } from '../../kit/list/RowCheckbox';
import styles from './site-batches.module.css';

type Props = {
  lines: readonly SiteBatchLine[];
  excluded: ReadonlySet<string>;
  onToggle: (lines: readonly SiteBatchLine[], isOn: boolean) => void;
};

function Line({ line, excluded, onToggle }: Omit<Props, 'lines'> & { line: SiteBatchLine }) {
  const { site_id: id, site_name: name, url, warning, refusal } = line;
  return (
    <li className={styles['line']} data-refused={refusal !== null || undefined}>
      {refusal === null ? (
        <RowCheckbox label={`Garder ${name}`} isOn={!excluded.has(id)} onChange={(isOn) => onToggle([line], isOn)} />
      ) : (
        <span className={planLine['gap']} />
      )}
      <div className={planLine['what']}>
        <p>
          <strong>{name}</strong> <span className={table['more']}>{url.replace(/^https:\/\//, '')}</span>
        </p>
        {refusal !== null && <p className={planLine['refusal']}>{`Laissé de côté\u00a0: ${refusal}`}</p>}
        {refusal === null && warning !== null && <p className={planLine['warning']}>{warning}</p>}
      </div>
    </li>
  );
}

/** Lists the refused sites first: they are what the user must check. */
export function BatchLines({ lines, excluded, onToggle }: Props) {
  const possible = lines.filter(({ refusal }) => refusal === null);
  const includedCount = possible.filter(({ site_id: id }) => !excluded.has(id)).length;
  const ordered = [...lines.filter(({ refusal }) => refusal !== null), ...possible];
  return (
    <Stack gap={8}>
      <Group gap={4} pl={4} c="muted" fz={13}>
        {possible.length > 0 && (
          <RowCheckbox
            label="Garder tous les sites"
            isOn={includedCount === possible.length}
            isMixed={includedCount > 0 && includedCount < possible.length}
            onChange={(isOn) => onToggle(possible, isOn)}
          />
        )}
        <output>{`${formatNumber(includedCount)} sur ${formatNumber(lines.length)}`}</output>
      </Group>
      <SteppedLines label="Sites concernés" items={ordered}>
        {(shown) =>
          shown.map((line) => <Line key={line.site_id} line={line} excluded={excluded} onToggle={onToggle} />)
        }
      </SteppedLines>
    </Stack>
  );
}
