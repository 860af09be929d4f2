import { Box, Stack } from '@mantine/core';
import { Check, CircleCheck, Copy, Info, OctagonX, TriangleAlert, Undo2, X } from 'lucide-react';
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react';
import { copyText } from './copy';
import { useSignal } from './signal';
import styles from './Toasts.module.css';
import { dismissToast, type Toast, type ToastType, toastDuration, toasts, type Undo } from './toasts';
import { VisuallyHidden } from './VisuallyHidden';

const icons: Record<ToastType, typeof Info> = {
  success: CircleCheck,
  error: OctagonX,
  info: Info,
  warning: TriangleAlert,
};
const tones: Record<ToastType, string> = { success: 'ok', error: 'danger', info: 'info', warning: 'warn' };
const words: Record<ToastType, string> = {
  success: 'Succès',
  error: 'Erreur',
  info: 'Information',
  warning: 'Attention',
};

const toneStyle = (type: ToastType) => ({ '--tone': `var(--${tones[type]}-dot)` }) as CSSProperties;

function useCountdown(isPaused: boolean, onEnd: () => void): void {
  const left = useRef(toastDuration);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isPaused) return undefined;
    const start = performance.now();
    const timer = setTimeout(() => end(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - start;
    };
  }, [isPaused]);
}

function CopyDetails({ details }: { details: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => void copyText(details).then(setCopied);
  const Icon = isCopied ? Check : Copy;
  return (
    <button type="button" className={styles['button']} onClick={copy}>
      <Icon size={14} aria-hidden />
      {isCopied ? 'Copié' : 'Copier les détails'}
    </button>
  );
}

function UndoButton({ id, undo }: { id: number; undo: Undo }) {
  const runUndo = () => {
    dismissToast(id);
    undo();
  };
  return (
    <button type="button" className={styles['button']} onClick={runUndo}>
      <Undo2 size={14} aria-hidden />
      Annuler
    </button>
  );
}

function ToastCard({ toast, isPaused }: { toast: Toast; isPaused: boolean }) {
  useCountdown(isPaused, () => dismissToast(toast.id));
  const Icon = icons[toast.type];
  const role = toast.type === 'error' || toast.type === 'warning' ? 'alert' : 'status';
  return (
    <li className={styles['toast']} style={toneStyle(toast.type)}>
      <Icon size={18} aria-hidden className={styles['icon']} />
      <Box flex={1} miw={0}>
        <p role={role}>
          <VisuallyHidden>{`${words[toast.type]}\u00a0: `}</VisuallyHidden>
          {toast.message}
        </p>
        {toast.details !== undefined && <CopyDetails details={toast.details} />}
        {toast.undo !== undefined && <UndoButton id={toast.id} undo={toast.undo} />}
      </Box>
      <button
        type="button"
        className={`${styles['button']} ${styles['close']}`}
        aria-label="Fermer"
        onClick={() => dismissToast(toast.id)}
      >
        <X size={16} aria-hidden />
      </button>
    </li>
  );
}

export function Toasts() {
  const visibleToasts = useSignal(toasts);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  // Closing a toast under the pointer or the focus fires no leave or blur event.
  useEffect(() => {
    setHovered(visibleToasts.length > 0 && region.current?.matches(':hover') === true);
    setFocused(visibleToasts.length > 0 && region.current?.contains(document.activeElement) === true);
  }, [visibleToasts]);
  return (
    <section aria-label="Messages" className={styles['region']}>
      <div
        ref={region}
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <Stack component="ol" gap={8}>
          {visibleToasts.map((toast) => (
            <ToastCard key={toast.id} toast={toast} isPaused={isHovered || isFocused} />
          ))}
        </Stack>
      </div>
    </section>
  );
}
