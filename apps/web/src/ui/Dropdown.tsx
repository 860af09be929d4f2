import { Button, Popover } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useEscape } from './useEscape';

type Props = {
  label: string;
  icon: LucideIcon;
  /** Shows only the icon. */
  isIcon?: boolean;
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** Escape closes this panel, and no other layer. */
function Panel({
  id,
  label,
  children,
  onClose,
}: {
  id: string;
  label: string;
  children: ReactNode;
  onClose: () => void;
}) {
  const panel = useRef<HTMLElement>(null);
  useEscape(panel, onClose);
  return (
    <section ref={panel} id={id} aria-label={label} data-panel>
      {children}
    </section>
  );
}

const popoverProps = {
  position: 'bottom-start',
  // Under the palette, the sheets and the dialogs.
  zIndex: 190,
  offset: 4,
  trapFocus: true,
  returnFocus: true,
  withRoles: false,
  closeOnEscape: false,
  // The last choices of a long panel are reached by scrolling, which may move its button out of sight.
  hideDetached: false,
} as const;

const panelLook = {
  p: 8,
  miw: 240,
  maw: 'min(420px, calc(100vw - 32px))',
  mah: 'min(480px, 70vh)',
  bd: '1px solid var(--border)',
  bdrs: 'md',
  bg: 'var(--surface)',
  style: { boxShadow: 'var(--shadow)', overflow: 'auto' },
} as const;

const faceOf = ({ label, icon: Icon, isIcon }: Omit<Props, 'children'>) =>
  isIcon
    ? ({
        variant: 'subtle',
        px: 0,
        w: 'var(--control-height)',
        flex: 'none',
        'aria-label': label,
        title: label,
        children: <Icon size={18} strokeWidth={1.75} aria-hidden />,
      } as const)
    : ({ variant: 'default', leftSection: <Icon size={16} aria-hidden />, children: label } as const);

/** A button that opens a panel under it. Escape, a click outside and the loss of the focus close the panel. */
export function Dropdown({ children, ...face }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const close = () => setOpen(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} {...popoverProps}>
      <Popover.Target>
        <Button
          {...faceOf(face)}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={({ currentTarget }) => {
            // Safari gives no focus to a button that is clicked, and the panel returns it to where it was.
            currentTarget.focus();
            setOpen(!isOpen);
          }}
        />
      </Popover.Target>
      <Popover.Dropdown
        {...panelLook}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) close();
        }}
      >
        <Panel id={id} label={face.label} onClose={close}>
          {typeof children === 'function' ? children(close) : children}
        </Panel>
      </Popover.Dropdown>
    </Popover>
  );
}
