import type { ReactNode } from 'react';
import styles from './Page.module.css';
import { PasswordForm, type PasswordFormProps } from './PasswordForm';

type Props = PasswordFormProps & { title: string; children: ReactNode };

export function PasswordStep({ title, children, ...form }: Props) {
  return (
    <section className={styles['card']}>
      <h2>{title}</h2>
      <p>{children}</p>
      <PasswordForm {...form} />
    </section>
  );
}
