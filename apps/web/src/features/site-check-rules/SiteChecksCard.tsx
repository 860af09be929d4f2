import { Button, Stack, Text } from '@mantine/core';
import { saveSiteCheckRules, type SiteCheckRules } from '@vigie/contracts/site-check-rules';
import type { Site } from '@vigie/contracts/sites';
import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { allows } from '../../kit/fleet/roles';
import { failureMessage } from '../../kit/query/failures';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { Callout } from '../../ui/Callout';
import { Fact } from '../../ui/FactList';
import { ReadFailed } from '../../ui/ReadFailed';
import { SectionCard } from '../../ui/SectionCard';
import { Skeleton } from '../../ui/Skeleton';
import { RulesDialog } from './RulesDialog';
import { siteCheckRulesApi } from './site-check-rules.api';
import { findingWords } from './words';

/** The finding changes with each visit. */
function useRules(id: string) {
  const pollingInterval = usePollInterval(siteCheckRulesApi.endpoints.siteCheckRules.useQueryState({ id }), 60_000);
  return siteCheckRulesApi.useSiteCheckRulesQuery(
    { id },
    { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible },
  );
}

function Rules({ rules }: { rules: SiteCheckRules }) {
  const { expected_text: text, redirects_to: target } = rules;
  if (text === null && target === null)
    return (
      <Text c="muted">
        Vigie vérifie que le site répond. Elle peut aussi vérifier un texte de la page, ou l’adresse où elle mène.
      </Text>
    );
  const { tone, sentence } = findingWords(rules);
  return (
    <>
      <Stack component="dl" gap={8} style={{ overflowWrap: 'anywhere' }}>
        {text !== null && <Fact name="Texte attendu">{text}</Fact>}
        {target !== null && <Fact name="Adresse d’arrivée">{target}</Fact>}
      </Stack>
      {tone === undefined ? <Text variant="note">{sentence}</Text> : <Callout tone={tone}>{sentence}</Callout>}
    </>
  );
}

type Props = { site: Site /** The maintenance of the site. */; children: ReactNode };

/** What the visits of a site look for, and when they count for nothing. */
export function SiteChecksCard({ site, children }: Props) {
  const { id } = site;
  const { currentData, error, isFetching, refetch } = useRules(id);
  const [isEditing, setEditing] = useState(false);
  const sentence = failureMessage(error, 'Ce que le site doit montrer n’a pas pu être lu.');
  const isWaiting = sentence === undefined ? <Skeleton rows={2} /> : undefined;
  return (
    <SectionCard
      title="Surveillance"
      aside={
        currentData &&
        allows(site, saveSiteCheckRules) && (
          <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={() => setEditing(true)}>
            Modifier les attentes
          </Button>
        )
      }
    >
      {currentData ? <Rules rules={currentData} /> : isWaiting}
      {sentence !== undefined && <ReadFailed sentence={sentence} isBusy={isFetching} onRetry={refetch} />}
      {children}
      {isEditing && currentData && <RulesDialog site={site} rules={currentData} onClose={() => setEditing(false)} />}
    </SectionCard>
  );
}
