import { Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Site } from '@vigie/contracts/sites';
import { ExternalLink, Pencil, SquareTerminal, Trash2 } from 'lucide-react';
import { Failure } from '../../ui/Failure';
import { JobProgress } from '../../ui/JobProgress';
import { PageHead } from '../../ui/Page';
import { RefreshButton } from '../../ui/RefreshButton';
import toolbar from '../../ui/Toolbar.module.css';
import { RepairsLink } from './ProblemCard';
import styles from './sites.module.css';
import type { useSiteCheck } from './useSiteCheck';

type SiteCheck = ReturnType<typeof useSiteCheck>;
type HeadProps = { site: Site; check: SiteCheck; onEdit: () => void; onDelete: () => void };

/** The name and address of a site, with its actions. */
export function SiteHead({ site, check, onEdit, onDelete }: HeadProps) {
  const { server_id: serverId } = site.connection.ssh;
  return (
    <PageHead>
      <Box miw={0}>
        <h1>{site.name}</h1>
        <SiteAddress url={site.url} />
      </Box>
      <div className={toolbar['actions']}>
        <RefreshButton isBusy={check.isChecking} run={check.run}>
          Actualiser
        </RefreshButton>
        <RepairsLink id={site.id}>{'Site cassé\u202f?'}</RepairsLink>
        {serverId !== null && (
          <Button
            variant="default"
            leftSection={<SquareTerminal size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link {...props} to="/servers/$serverId/console" params={{ serverId }} search={{}} preload={false} />
            )}
          >
            Console
          </Button>
        )}
        <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={onEdit}>
          Modifier
        </Button>
        <Button variant="default" color="danger" leftSection={<Trash2 size={16} aria-hidden />} onClick={onDelete}>
          Supprimer
        </Button>
      </div>
    </PageHead>
  );
}

function SiteAddress({ url }: Pick<Site, 'url'>) {
  return (
    <Box
      component="a"
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      display="inline-flex"
      mih={{ base: 44, sm: 0 }}
      className={styles['url'] ?? ''}
      style={{ alignItems: 'center', gap: 6 }}
    >
      {url}
      <ExternalLink size={14} aria-hidden style={{ flex: 'none' }} />
    </Box>
  );
}

export const CheckProgress = ({ check: { isChecking, job, failure } }: { check: SiteCheck }) => (
  <>
    {isChecking && job?.progress && <JobProgress progress={job.progress} />}
    <Failure sentence={failure} />
  </>
);
