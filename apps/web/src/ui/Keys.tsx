import styles from './Keys.module.css';

export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles['keys']}>
      {keys.map((key) => (
        <kbd key={key} className={styles['key']}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
