import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OrderProposal, ProposalLine, ProposalState } from '@vigie/contracts/proposals';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import planLine from '../../ui/PlanLine.module.css';
import { SectionCard } from '../../ui/SectionCard';
import { TimeAgo } from '../../ui/TimeAgo';
import { groupBySite, kindWords, planTitle, versionsOf } from './words';

function Line({ line, isOpen }: { line: ProposalLine; isOpen: boolean }) {
  const { kind, slug, name, made_at: madeAt, warnings, refusal } = line;
  return (
    <li className={planLine['what']} style={{ overflowWrap: 'anywhere' }}>
      <Text component="span" fw={500}>
        {name}
      </Text>{' '}
      {kind !== null && <Text component="span" c="muted">{`(${kindWords[kind]} ${slug ?? ''})`}</Text>}{' '}
      <Text component="span" c="muted">
        {versionsOf(line)}
      </Text>{' '}
      {madeAt !== null && (
        <Text component="span" c="muted">
          {kind === null ? 'faite ' : '(copie faite '}
          <TimeAgo at={madeAt} />
          {kind !== null && ')'}
        </Text>
      )}
      {refusal !== null && (
        <p className={planLine['refusal']}>{`${isOpen ? 'Ne sera pas fait' : 'Laissé de côté'}\u00a0: ${refusal}`}</p>
      )}
      {warnings.map((text) => (
        <p key={text} className={planLine['warning']}>
          {text}
        </p>
      ))}
    </li>
  );
}

type Props = { proposal: OrderProposal; state: ProposalState };

/** The plan as it was stored, site by site. */
export function ProposalPlan({ proposal: { plan, notes }, state }: Props) {
  return (
    <SectionCard title={planTitle(state)}>
      <Lines>
        {groupBySite(plan).map(({ id, name, url, lines }) => (
          <li key={id}>
            <Stack gap={4} py={10}>
              <h3>
                <Link to="/sites/$siteId" params={{ siteId: id }} className={links['name'] ?? ''}>
                  {name}
                </Link>
              </h3>
              {url !== null && (
                <Text variant="hint" style={{ overflowWrap: 'anywhere' }}>
                  {url}
                </Text>
              )}
              <Stack component="ul" gap={4} aria-label={name}>
                {lines.map((line) => (
                  <Line key={`${line.kind} ${line.slug}`} line={line} isOpen={state === 'open'} />
                ))}
              </Stack>
            </Stack>
          </li>
        ))}
      </Lines>
      {notes.length > 0 && (
        <ul aria-label="À savoir" className={planLine['notes']}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
}
