export function watchNpm(onGone: () => void): void;
