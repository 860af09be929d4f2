import type { PlannedChange } from '@vigie/contracts/changes';
import table from '../../kit/list/list.module.css';
import { Disclosure } from '../../ui/Disclosure';
import { CodeBox } from '../../ui/CodeBox';
import planLine from '../../ui/PlanLine.module.css';
import { SteppedLines } from '../../ui/SteppedLines';
import { plural } from '../../ui/plural';
import { RowCheckbox } from '../../kit/list/RowCheckbox';
import styles from './changes.module.css';
import { groupBySite, linesToApply, lineKey, type SiteLines } from './plan';
import { kindNames, formatVersions } from './words';

type ExcludedLines = ReadonlySet<string>;
type LineSelection = { excluded: ExcludedLines; onToggle: (lines: readonly PlannedChange[], isOn: boolean) => void };

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

/** The lines of a plan. */
export const PlanLines = ({ lines, shape, ...rest }: Props) => (
  <SteppedLines label="Ce qui sera fait" items={lines}>
    {(shown) =>
      shape === 'sites'
        ? groupBySite(shown).map((site) => <Group key={site.id} site={site} {...rest} />)
        : shown.map((line) => <Line key={lineKey(line)} line={line} isItemLine={shape === 'items'} {...rest} />)
    }
  </SteppedLines>
);
