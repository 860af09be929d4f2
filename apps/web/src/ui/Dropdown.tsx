import { Button } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import brief from './Brief.module.css';
import styles from './Dropdown.module.css';

type Props = {
  label: string;
  icon: LucideIcon;
  /** Shows only the icon on a phone. */
  isBrief?: boolean;
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** A button that opens a panel under it. Escape, a click outside and the loss of the focus close the panel. */
export function Dropdown({ label, icon: Icon, isBrief = false, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => setOpen(false);
  useEffect(() => {
    const opener = button.current;
    if (!isOpen) return undefined;
    // The focused element was in the panel that closed.
    return () => {
      if (document.activeElement === document.body) opener?.focus();
    };
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !container.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    // No other layer may handle this Escape.
    event.preventDefault();
    close();
    button.current?.focus();
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !container.current?.contains(relatedTarget)) setOpen(false);
  };
  return (
    <div
      ref={container}
      role="presentation"
      className={`${styles['dropdown']} ${isBrief ? brief['place'] : ''}`}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <Button
        ref={button}
        variant="default"
        className={isBrief ? brief['brief'] : undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={isBrief ? brief['words'] : undefined}>{label}</span>
      </Button>
      {isOpen && (
        <section id={id} aria-label={label} className={styles['panel']}>
          {typeof children === 'function' ? children(close) : children}
        </section>
      )}
    </div>
  );
}
