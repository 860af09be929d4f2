import { createSignal } from './signal';

export type ToastType = 'success' | 'error' | 'info' | 'warning';
export type Toast = { id: number; type: ToastType; message: string; details: string | undefined };

/** Every type stays this long (specification §9), the time under the pointer or the focus not counted. */
export const toastDuration = 3000;
const most = 4;

export const toasts = createSignal<readonly Toast[]>([]);
let lastId = 0;

function show(type: ToastType, message: string, details?: string): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, type, message, details }].slice(-most));
}

export const dismissToast = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

export const toast = {
  success: (message: string) => show('success', message),
  info: (message: string) => show('info', message),
  warning: (message: string) => show('warning', message),
  /** `details` is what "Copier les détails" copies. */
  error: (message: string, details?: string) => show('error', message, details),
};
