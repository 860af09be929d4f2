import { Button } from '@mantine/core';
import type { SiteBatchLine } from '@vigie/contracts/site-batches';
import { useState } from 'react';
import planLine from '../../ui/PlanLine.module.css';
import { spellNumber } from '../../ui/plural';
import { Tick } from '../../ui/Tick';
import styles from './BatchLines.module.css';

type Props = {
  lines: readonly SiteBatchLine[];
  off: ReadonlySet<string>;
  onSwitch: (lines: readonly SiteBatchLine[], isOn: boolean) => void;
};

/** As many as are read at once. */
const step = 100;

function Line({ line, off, onSwitch }: Omit<Props, 'lines'> & { line: SiteBatchLine }) {
  const { site_id: id, site_name: name, url, warning, refusal } = line;
  return (
    <li className={styles['line']} data-refused={refusal !== null || undefined}>
      {refusal === null ? (
        <Tick label={`Garder ${name}`} isOn={!off.has(id)} onChange={(isOn) => onSwitch([line], isOn)} />
      ) : (
        <span className={planLine['gap']} />
      )}
      <div className={planLine['what']}>
        <p>
          <strong>{name}</strong> <span className={styles['url']}>{url.replace(/^https:\/\//, '')}</span>
        </p>
        {refusal !== null && <p className={planLine['refusal']}>{`Laissé de côté\u00a0: ${refusal}`}</p>}
        {refusal === null && warning !== null && <p className={planLine['warning']}>{warning}</p>}
      </div>
    </li>
  );
}

/** A line for each site: those that will be left out first, since they are what is looked for. */
export function BatchLines({ lines, off, onSwitch }: Props) {
  const [max, setMost] = useState(step);
  const possible = lines.filter(({ refusal }) => refusal === null);
  const kept = possible.filter(({ site_id: id }) => !off.has(id)).length;
  const ordered = [...lines.filter(({ refusal }) => refusal !== null), ...possible];
  return (
    <div className={styles['lines']}>
      <div className={styles['all']}>
        {possible.length > 0 && (
          <Tick
            label="Garder tous les sites"
            isOn={kept === possible.length}
            isMixed={kept > 0 && kept < possible.length}
            onChange={(isOn) => onSwitch(possible, isOn)}
          />
        )}
        <output>{`${spellNumber(kept)} sur ${spellNumber(lines.length)}`}</output>
      </div>
      <ul aria-label="Sites concernés">
        {ordered.slice(0, max).map((line) => (
          <Line key={line.site_id} line={line} off={off} onSwitch={onSwitch} />
        ))}
      </ul>
      {max < ordered.length && (
        <Button variant="default" onClick={() => setMost(max + step)}>
          {`Afficher plus (${spellNumber(ordered.length - max)})`}
        </Button>
      )}
    </div>
  );
}
