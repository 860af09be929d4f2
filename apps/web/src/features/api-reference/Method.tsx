import styles from './api-reference.module.css';

/** Reading is blue, making green, changing amber, deleting red; the word says it too. */
const tones: Readonly<Record<string, string>> = {
  GET: 'info',
  POST: 'ok',
  PUT: 'warn',
  PATCH: 'warn',
  DELETE: 'danger',
};

export function Method({ method }: { method: string }) {
  const tone = tones[method] ?? 'neutral';
  return (
    <span className={styles['method']} style={{ background: `var(--${tone}-tint)`, color: `var(--${tone})` }}>
      {method}
    </span>
  );
}
