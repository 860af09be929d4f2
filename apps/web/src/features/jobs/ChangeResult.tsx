import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ChangeOutcome } from '@vigie/contracts/changes';
import type { Job } from '@vigie/contracts/jobs';
import { Card } from '../../ui/Card';
import links from '../../ui/links.module.css';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { type ChangeTable, changeTable, readChange } from './change-result';
import styles from './jobs.module.css';

const Moments = ({ columns, rows }: ChangeTable) => (
  <table className={styles['change']}>
    <thead>
      <tr>
        <th scope="col">
          <VisuallyHidden>Mesure</VisuallyHidden>
        </th>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, cells }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {cells.map((cell, index) => (
            <td key={columns[index]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

function PhpErrors({ checks, hasFailed }: Pick<ChangeOutcome, 'checks'> & { hasFailed: boolean }) {
  if (!checks?.after) return null;
  if (checks.php_errors.length === 0)
    return (
      <Text variant="hint" mt={6}>
        {hasFailed
          ? 'Les journaux PHP du site n’en disent pas plus.'
          : 'Aucune nouvelle erreur PHP dans les journaux du site.'}
      </Text>
    );
  return (
    <>
      <Text variant="hint" mt={6}>
        Nouvelles erreurs PHP
      </Text>
      <pre className={styles['output']}>{checks.php_errors.join('\n')}</pre>
    </>
  );
}

/** The site before and after a change, as the checks saw it. */
export function ChangeResult({ job }: { job: Job }) {
  const change = readChange(job);
  if (!change) return null;
  const { aside, kind, slug, checks } = change;
  return (
    <Card component="section" aria-label="Avant et après" p="4px 16px 8px">
      <Moments {...changeTable(job, change)} />
      <PhpErrors checks={checks} hasFailed={job.state === 'failed'} />
      {aside && job.site_id !== null && (
        <Link
          to="/sites/$siteId"
          params={{ siteId: job.site_id }}
          search={kind === 'core' ? {} : { q: slug }}
          className={links['inline'] ?? ''}
        >
          {`Revenir à la version ${aside.version ?? 'précédente'} depuis le site`}
        </Link>
      )}
    </Card>
  );
}
