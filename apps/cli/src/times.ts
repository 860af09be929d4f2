const two = (n: number): string => String(n).padStart(2, '0');

/** "2026-11-29 01:05", in the time zone of this machine. */
export function formatTime(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** "12,3 Mo" of 1024 × 1024 bytes, as the interface writes sizes. */
export const formatSize = (bytes: number): string =>
  bytes < 1_024 * 1_024
    ? `${Math.ceil(bytes / 1_024)} Ko`
    : `${(bytes / 1_024 / 1_024).toFixed(1).replace('.', ',')} Mo`;
