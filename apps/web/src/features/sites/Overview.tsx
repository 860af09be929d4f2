import { Stack } from '@mantine/core';
import { checkForRepairs } from '@vigie/contracts/site-repairs';
import { type Site, testSite } from '@vigie/contracts/sites';
import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { allows } from '../../kit/fleet/roles';
import { changeSearch } from '../../kit/list/search-params';
import { SectionCard } from '../../ui/SectionCard';
import { BackupCard, CoreCard, InfoCard } from './Cards';
import { HostingDetails } from './HostingDetails';
import { ProblemCard } from './ProblemCard';
import type { TestSearch } from './search';
import { needsKeyInstall, SiteKey, SiteReport } from './SiteReport';
import styles from './sites.module.css';
import { useLastTest, useSiteTest } from './useSiteTest';

type Props = {
  site: Site;
  search: TestSearch;
  /** The actions on WordPress itself. */
  core: ReactNode;
  /** The updates that wait. */
  updates: ReactNode;
  /** Its last incidents that are over. */
  incidents: ReactNode;
  /** How reachable the site was. */
  uptime: ReactNode;
  /** What its visits look for. */
  checks: ReactNode;
};

const KeyCard = ({ site }: Pick<Props, 'site'>) => (
  <SectionCard title="Autoriser la clé sur l’hôte">
    <p>Exécutez la ligne ci-dessous sur l’hôte, puis testez la connexion.</p>
    <SiteKey site={site} />
  </SectionCard>
);

/** What needs somebody comes first. */
export function Overview({ site, search, core, updates, incidents, uptime, checks }: Props) {
  const navigate = useNavigate();
  const lastTest = useLastTest(site.id);
  const follow = (test: string) => void navigate({ to: '.', ...changeSearch<TestSearch>({ test }) });
  const diagnosis = useSiteTest({ open: site.id, test: search.test ?? lastTest }, follow);
  const mustInstallKey = needsKeyInstall(site) && diagnosis.id === undefined;
  return (
    <>
      {site.problem && (
        <ProblemCard problem={site.problem} state={site.facts} canRepair={allows(site, checkForRepairs)} />
      )}
      {mustInstallKey && <KeyCard site={site} />}
      <div className={styles['cards']}>
        <Stack gap={16}>
          <InfoCard site={site} />
          <CoreCard site={site}>{core}</CoreCard>
          {uptime}
        </Stack>
        <Stack gap={16}>
          {updates}
          <BackupCard site={site} />
          {checks}
          {incidents}
        </Stack>
        {site.facts && (
          <SectionCard title="Hébergement">
            <HostingDetails site={site} state={site.facts} />
          </SectionCard>
        )}
        {allows(site, testSite) && (
          <SectionCard title="Test de connexion">
            <SiteReport site={site} diagnosis={diagnosis} />
          </SectionCard>
        )}
      </div>
    </>
  );
}
