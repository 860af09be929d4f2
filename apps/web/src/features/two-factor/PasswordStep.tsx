import type { ReactNode } from 'react';
import { PasswordForm, type PasswordFormProps } from './PasswordForm';
import { StepCard } from './StepCard';

type Props = PasswordFormProps & { title: string; children: ReactNode };

export function PasswordStep({ title, children, ...form }: Props) {
  return (
    <StepCard title={title}>
      <p>{children}</p>
      <PasswordForm {...form} />
    </StepCard>
  );
}
