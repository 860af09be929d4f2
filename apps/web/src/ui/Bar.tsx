import styles from './Bar.module.css';

type Props = { label: string; value: number; max: number; isSmooth?: boolean };

export const Bar = ({ label, value, max, isSmooth }: Props) => (
  <progress className={styles['bar']} data-smooth={isSmooth} value={value} max={max} aria-label={label} />
);
