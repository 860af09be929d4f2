import { createSignal } from './signal';

export type ToastType = 'success' | 'error' | 'info' | 'warning';
/** What takes back that which the toast tells of. */
export type Undo = () => void;
type More = { details?: string | undefined; undo?: Undo | undefined };
export type Toast = More & { id: number; type: ToastType; message: string };

/** Every type stays this long , the time under the pointer or the focus not counted. */
export const toastDuration = 3000;
const max = 4;

export const toasts = createSignal<readonly Toast[]>([]);
let lastId = 0;

function show(type: ToastType, message: string, more: More = {}): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, type, message, ...more }].slice(-max));
}

export const dismissToast = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

export const toast = {
  success: (message: string, undo?: Undo) => show('success', message, { undo }),
  info: (message: string) => show('info', message),
  warning: (message: string) => show('warning', message),
  /** `details` is what "Copier les détails" copies. */
  error: (message: string, details?: string) => show('error', message, { details }),
};
