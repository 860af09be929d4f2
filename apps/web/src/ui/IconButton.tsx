import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import styles from './IconButton.module.css';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  label: string;
  icon: LucideIcon;
  /** At the right edge of the page, where its tooltip opens to the left. */
  isAtEdge?: boolean;
};

export const iconButtonClass = styles['button'];

export function IconButton({ label, icon: Icon, isAtEdge = false, className, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      data-edge={isAtEdge || undefined}
      className={`${styles['button']} ${className ?? ''}`}
      {...rest}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden />
    </button>
  );
}
