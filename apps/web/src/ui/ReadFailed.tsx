import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from './EmptyState';
import { RetryButton } from './RetryButton';

type Props = { sentence: string; isBusy?: boolean; onRetry: () => unknown; children?: ReactNode };

/** In place of data that could not be read. */
export const ReadFailed = ({ sentence, children, ...retry }: Props) => (
  <EmptyState icon={CloudOff} role="alert" title={sentence} actions={<RetryButton {...retry} />}>
    {children}
  </EmptyState>
);
