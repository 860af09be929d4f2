type LockedPackage = { link?: boolean; os?: readonly string[]; cpu?: readonly string[]; libc?: readonly string[] };

export function lockedFolders(
  lock: { packages: Readonly<Record<string, LockedPackage>> },
  here?: { platform: string; arch: string; libc: string },
): string[];
export function watchInstall(root: string, log: (line: string) => void): () => void;
