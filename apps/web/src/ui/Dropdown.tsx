import { Button } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import brief from './Brief.module.css';
import styles from './Dropdown.module.css';

type Props = {
  label: string;
  icon: LucideIcon;
  /** On a phone its icon stands for it. */
  isBrief?: boolean;
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** A button with what it opens under it; it closes by Escape, by a click beside it, and when the focus leaves it. */
export function Dropdown({ label, icon: Icon, isBrief = false, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => setOpen(false);
  useEffect(() => {
    const opener = button.current;
    if (!isOpen) return undefined;
    // What had the focus is gone with the rest of it.
    return () => {
      if (document.activeElement === document.body) opener?.focus();
    };
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    // It is nobody else's.
    event.preventDefault();
    close();
    button.current?.focus();
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !whole.current?.contains(relatedTarget)) setOpen(false);
  };
  return (
    <div
      ref={whole}
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
