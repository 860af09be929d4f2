import { CloudOff, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureReason } from '../../kit/query/failures';
import { EmptyState } from '../../ui/EmptyState';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { useLiveConsoles } from './useConsoles';

type Props = { action?: ReactNode; children: ReactNode };

/** Says that no console is open only after the list of live consoles was read. */
export function NoConsole({ action, children }: Props) {
  const { isListed, error, isFetching, refetch } = useLiveConsoles();
  if (isListed) {
    return (
      <EmptyState icon={SquareTerminal} title="Aucune console ouverte." actions={action}>
        {children}
      </EmptyState>
    );
  }
  if (!error) return <Skeleton rows={3} />;
  const retryButton = <RetryButton isBusy={isFetching} onRetry={refetch} />;
  return (
    <EmptyState
      icon={CloudOff}
      role="alert"
      title="Recherche de vos consoles…"
      actions={
        <>
          {retryButton}
          {action}
        </>
      }
    >
      <p>{failureReason(error, 'Vigie n’a pas répondu.')}</p>
      <p>Vos consoles restent ouvertes 15{'\u00a0'}minutes&#8239;; Vigie continue de les chercher.</p>
    </EmptyState>
  );
}
