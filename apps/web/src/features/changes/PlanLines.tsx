import type { PlannedChange } from '@vigie/contracts/changes';
import { Button } from '@mantine/core';
import { useState } from 'react';
import table from '../../kit/list/list.module.css';
import { Disclosure } from '../../ui/Disclosure';
import { Lines } from '../../ui/Lines';
import { CodeBox } from '../../ui/CodeBox';
import planLine from '../../ui/PlanLine.module.css';
import { plural, formatNumber } from '../../ui/plural';
import { RowCheckbox } from '../../kit/list/RowCheckbox';
import styles from './changes.module.css';
import { groupBySite, linesToApply, lineKey, type SiteLines } from './plan';
import { kindNames, formatVersions } from './words';

type ExcludedLines = ReadonlySet<string>;
type LineSelection = { excluded: ExcludedLines; onToggle: (lines: readonly PlannedChange[], isOn: boolean) => void };

const step = 100;

/** One planned change, with its warnings or the reason why it is refused. */
function Line({ line, isItemLine, excluded, onToggle }: LineSelection & { line: PlannedChange; isItemLine: boolean }) {
  const { kind, name, site_name: siteName, from, to, command, warnings, refusal } = line;
  const title = isItemLine ? name : siteName;
  return (
    <li className={styles['line']} data-refused={refusal !== null || undefined}>
      {refusal === null ? (
        <RowCheckbox
          label={isItemLine ? `${name} sur ${siteName}` : siteName}
          isOn={!excluded.has(lineKey(line))}
          onChange={(isOn) => onToggle([line], isOn)}
        />
      ) : (
        <span className={planLine['gap']} />
      )}
      <div className={planLine['what']}>
        <p className={styles['lineHead']}>
          <strong>{title}</strong>
          {isItemLine && kind !== 'core' && <span className={table['more']}>{kindNames[kind]}</span>}
          <span className={styles['newer']}>{formatVersions(from, to)}</span>
        </p>
        {refusal !== null && <p className={planLine['refusal']}>{refusal}</p>}
        {warnings.map((text) => (
          <p key={text} className={planLine['warning']}>
            {text}
          </p>
        ))}
        <Disclosure name="Commande">
          <CodeBox>{command}</CodeBox>
        </Disclosure>
      </div>
    </li>
  );
}

function Group({ site, excluded, onToggle }: LineSelection & { site: SiteLines }) {
  const possible = site.lines.filter(({ refusal }) => refusal === null);
  const selected = linesToApply(possible, excluded);
  return (
    <li>
      <div className={styles['site']}>
        {possible.length > 0 ? (
          <RowCheckbox
            label={`Tout ce qui attend sur ${site.name}`}
            isOn={selected.length === possible.length}
            isMixed={selected.length > 0 && selected.length < possible.length}
            onChange={(isOn) => onToggle(possible, isOn)}
          />
        ) : (
          <span className={planLine['gap']} />
        )}
        <h3>{site.name}</h3>
        <span className={table['more']}>{plural(site.lines.length, 'élément', 'éléments')}</span>
      </div>
      <ul aria-label={site.name}>
        {site.lines.map((line) => (
          <Line key={lineKey(line)} line={line} isItemLine excluded={excluded} onToggle={onToggle} />
        ))}
      </ul>
    </li>
  );
}

type Props = LineSelection & {
  lines: readonly PlannedChange[];
  /** `sites` groups the lines by site, `items` lists those of one site, `places` lists the sites of one item. */
  shape: 'sites' | 'items' | 'places';
};

/** The lines of a plan, a hundred at a time. */
export function PlanLines({ lines, shape, ...rest }: Props) {
  const [max, setMax] = useState(step);
  const visibleLines = lines.slice(0, max);
  return (
    <>
      <Lines aria-label="Ce qui sera fait" isFramed>
        {shape === 'sites'
          ? groupBySite(visibleLines).map((site) => <Group key={site.id} site={site} {...rest} />)
          : visibleLines.map((line) => (
              <Line key={lineKey(line)} line={line} isItemLine={shape === 'items'} {...rest} />
            ))}
      </Lines>
      {visibleLines.length < lines.length && (
        <div>
          <Button variant="default" onClick={() => setMax(max + step)}>
            {`Afficher plus (${formatNumber(lines.length - visibleLines.length)})`}
          </Button>
        </div>
      )}
    </>
  );
}
