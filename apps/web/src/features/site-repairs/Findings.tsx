import { Box, Stack, Text } from '@mantine/core';
import type { RepairCheck } from '@vigie/contracts/site-repairs';
import type { ReactNode } from 'react';
import code from '../../ui/code.module.css';
import { Fact, FactList } from '../../ui/FactList';
import { Status, type Tone } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { bootStatus, maintenanceStatus, pageStatus, locationOf } from './words';

function Finding({
  name,
  status,
  children,
}: {
  name: string;
  status: { tone: Tone; word: string };
  children?: ReactNode;
}) {
  return (
    <Fact name={name}>
      <Stack gap={4} align="flex-start">
        <Status tone={status.tone}>{status.word}</Status>
        {children}
      </Stack>
    </Fact>
  );
}

function ErrorLocation({ message, location }: { message: string; location: string | undefined }) {
  return (
    <>
      {location !== undefined && <code>{location}</code>}
      {message !== '' && (
        <Box component="pre" w="100%" className={code['code'] ?? ''} style={{ '--code': '160px' }}>
          {message}
        </Box>
      )}
    </>
  );
}

export function Findings({ check }: { check: RepairCheck }) {
  const { boot, pages, maintenance, last_fatal: fatal } = check;
  const { problem } = boot;
  return (
    <FactList style={{ gap: 12, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Finding name="WordPress" status={bootStatus(boot)}>
        {problem && <ErrorLocation message={problem.message} location={locationOf(problem)} />}
      </Finding>
      <Finding name="Page d’accueil" status={pageStatus(pages.home)} />
      <Finding name="Page de connexion" status={pageStatus(pages.login)} />
      <Finding name="Maintenance" status={maintenanceStatus(maintenance)}>
        {maintenance && (
          <Text variant="note">
            {'.maintenance, '}
            <TimeAgo at={maintenance.made_at} />
          </Text>
        )}
      </Finding>
      <Finding
        name="Dernière erreur fatale"
        status={
          fatal ? { tone: 'neutral', word: 'Dans ses journaux' } : { tone: 'neutral', word: 'Aucune dans ses journaux' }
        }
      >
        {fatal && (
          <>
            {fatal.at !== null && (
              <Text variant="note">
                <TimeAgo at={fatal.at} />
                {fatal.culprit && fatal.culprit.type !== 'core' && ` · ${fatal.culprit.slug}`}
              </Text>
            )}
            <ErrorLocation message={fatal.message} location={locationOf(fatal)} />
          </>
        )}
      </Finding>
    </FactList>
  );
}
