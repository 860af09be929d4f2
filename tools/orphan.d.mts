export function watchNpm(tell: () => void): void;
