import styles from './ProgressBar.module.css';

type Props = { label: string; value: number; max: number; isSmooth?: boolean };

export const ProgressBar = ({ label, value, max, isSmooth }: Props) => (
  <progress className={styles['bar']} data-smooth={isSmooth} value={value} max={max} aria-label={label} />
);
