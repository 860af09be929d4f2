import type { Words } from './language';

const two = (n: number): string => String(n).padStart(2, '0');

/** "2026-11-29 01:05", in the time zone of this machine. */
export function formatTime(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** "12,3 Mo" of 1024 × 1024 bytes, as the interface writes sizes. */
export function formatSize(bytes: number): Words {
  const megabytes = (bytes / 1_024 / 1_024).toFixed(1);
  if (bytes >= 1_024 * 1_024) return { fr: `${megabytes.replace('.', ',')}\u00a0Mo`, en: `${megabytes} MB` };
  const kilobytes = Math.ceil(bytes / 1_024);
  return { fr: `${kilobytes}\u00a0Ko`, en: `${kilobytes} KB` };
}
