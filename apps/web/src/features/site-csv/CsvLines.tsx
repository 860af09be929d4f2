import { Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import table from '../../kit/list/list.module.css';
import { RowCheckbox } from '../../kit/list/RowCheckbox';
import planLine from '../../ui/PlanLine.module.css';
import { formatNumber } from '../../ui/plural';
import { Status } from '../../ui/Status';
import { SteppedLines } from '../../ui/SteppedLines';
import { inReadingOrder } from './lines';
import type { PreviewLine } from './site-csv.api';

type Props = {
  lines: readonly PreviewLine[];
  excluded: ReadonlySet<number>;
  onToggle: (lines: readonly number[], isOn: boolean) => void;
};

/** Lists what would become of each line. */
export function CsvLines({ lines, excluded, onToggle }: Props) {
  const ordered = inReadingOrder(lines);
  const newLines = lines.filter(({ verdict }) => verdict.state === 'new').map(({ verdict }) => verdict.line);
  const chosenCount = newLines.filter((line) => !excluded.has(line)).length;
  return (
    <Stack gap={8}>
      {newLines.length > 0 && (
        <Group gap={4} pl={4} c="muted" fz={13}>
          <RowCheckbox
            label="Choisir tous les nouveaux sites"
            isOn={chosenCount === newLines.length}
            isMixed={chosenCount > 0 && chosenCount < newLines.length}
            onChange={(isOn) => onToggle(newLines, isOn)}
          />
          <output>{`${formatNumber(chosenCount)} sur ${formatNumber(newLines.length)} à importer`}</output>
        </Group>
      )}
      <SteppedLines label="Lignes du fichier" items={ordered}>
        {(shown) =>
          shown.map((line) => (
            <CsvLine key={line.verdict.line} {...line} isOn={!excluded.has(line.verdict.line)} onToggle={onToggle} />
          ))
        }
      </SteppedLines>
    </Stack>
  );
}

type LineProps = PreviewLine & Pick<Props, 'onToggle'> & { isOn: boolean };

function CsvLine({ typed, verdict, isOn, onToggle }: LineProps) {
  const { line, state, reason } = verdict;
  const name = typed.name || typed.url || 'Sans nom';
  return (
    <Group component="li" gap={4} p="6px 12px 6px 4px" wrap="nowrap" align="flex-start">
      {state === 'new' ? (
        <RowCheckbox label={`Importer ${name}, ligne ${line}`} isOn={isOn} onChange={(on) => onToggle([line], on)} />
      ) : (
        <span className={planLine['gap']} />
      )}
      <div className={planLine['what']} style={{ overflowWrap: 'anywhere' }}>
        <Group justify="space-between" gap="2px 8px">
          <p>
            <strong>{name}</strong> <span className={table['more']}>{typed.url.replace(/^https:\/\//, '')}</span>
          </p>
          <Verdict verdict={verdict} />
        </Group>
        <p className={table['more']}>{detailsOf({ typed, verdict }).join(' · ')}</p>
        {reason !== null && state === 'refused' && <p className={planLine['refusal']}>{reason}</p>}
        {reason !== null && state === 'known' && <p className={table['more']}>{reason}</p>}
      </div>
    </Group>
  );
}

function Verdict({ verdict: { state, site_id: siteId } }: Pick<PreviewLine, 'verdict'>) {
  if (state === 'refused') return <Status tone="danger">Refusée</Status>;
  if (state === 'new')
    return (
      <Status tone="info" icon={Plus}>
        Nouveau
      </Status>
    );
  if (siteId === null) return <Status tone="neutral">En double</Status>;
  return (
    <Link to="/sites/$siteId" params={{ siteId }} search={{}}>
      <Status tone="neutral">Déjà dans Vigie</Status>
    </Link>
  );
}

function detailsOf({ typed, verdict }: PreviewLine): string[] {
  const { line, server, groups } = verdict;
  const { host, port, user, path } = typed;
  const login = user === '' ? host : `${user}@${host}`;
  const address = `${login}${port === '' ? '' : `:${port}`}`;
  const groupNames = groups.map((group) => (group.is_new ? `${group.path} (à créer)` : group.path));
  return [
    `Ligne ${line}`,
    server ? `serveur ${server.name}` : typed.server === '' && host !== '' ? `${address}, nouvelle clé` : '',
    path,
    groupNames.length > 0 ? `groupes\u00a0: ${groupNames.join(', ')}` : '',
  ].filter(Boolean);
}
