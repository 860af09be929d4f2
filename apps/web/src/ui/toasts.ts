import { createSignal } from './signal';

export type ToastType = 'success' | 'error' | 'info' | 'warning';
export type Undo = () => void;
type ToastOptions = { details?: string | undefined; undo?: Undo | undefined };
export type Toast = ToastOptions & { id: number; type: ToastType; message: string };

/** In milliseconds. The countdown pauses under the pointer and the focus. */
export const toastDuration = 3000;
const max = 4;

export const toasts = createSignal<readonly Toast[]>([]);
let lastId = 0;

function show(type: ToastType, message: string, options: ToastOptions = {}): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, type, message, ...options }].slice(-max));
}

export const dismissToast = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

export const toast = {
  success: (message: string, undo?: Undo) => show('success', message, { undo }),
  info: (message: string) => show('info', message),
  warning: (message: string) => show('warning', message),
  /** `details` is the text of "Copier les détails". */
  error: (message: string, details?: string) => show('error', message, { details }),
};
