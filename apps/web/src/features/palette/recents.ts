import { readLocal, writeLocal } from '../../ui/storage';

const key = 'palette_recents';
const most = 4;

export const readRecents = (): string[] => (readLocal(key) ?? '').split(' ').filter(Boolean);

export const addRecent = (id: string): void =>
  writeLocal(key, [id, ...readRecents().filter((other) => other !== id)].slice(0, most).join(' '));
