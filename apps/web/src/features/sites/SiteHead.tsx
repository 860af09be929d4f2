import { Box, Stack, Text } from '@mantine/core';
import type { Site } from '@vigie/contracts/sites';
import { ExternalLink } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { sharedLabel } from '../../kit/fleet/roles';
import { Failure } from '../../ui/Failure';
import { JobProgress } from '../../ui/JobProgress';
import toolbar from '../../ui/Toolbar.module.css';
import { Freshness } from './Freshness';
import { SiteActions } from './SiteActions';
import styles from './sites.module.css';

type Props = ComponentProps<typeof SiteActions> & { children: ReactNode };

/** The name, the address and the age of a site, with its actions; the main ones come from other features. */
export const SiteHead = ({ children, ...actions }: Props) => (
  <>
    <Stack component="header" gap={12}>
      <div>
        <h1>{actions.site.name}</h1>
        <SiteAddress url={actions.site.url} />
        <Freshness site={actions.site} />
        <SharedBy site={actions.site} />
      </div>
      <div className={toolbar['actions']}>
        {children}
        <SiteActions {...actions} />
      </div>
    </Stack>
    <CheckProgress check={actions.check} />
  </>
);

function SharedBy({ site }: Pick<Props, 'site'>) {
  const label = sharedLabel(site);
  return label !== undefined && <Text variant="note">{label}</Text>;
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

const CheckProgress = ({ check: { isChecking, job, failure } }: Pick<Props, 'check'>) => (
  <>
    {isChecking && job?.progress && <JobProgress progress={job.progress} />}
    <Failure sentence={failure} />
  </>
);
