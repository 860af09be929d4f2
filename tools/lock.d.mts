export type Mark = { pid: number; mark?: string | undefined };
export type Owner = Mark & Record<string, unknown>;
export function markOf(pid: number): string | undefined;
export function thisProcess(): Mark;
export function isAlive(owner: Mark): boolean;
export function readOwner(file: string): Owner | undefined;
export function claim(file: string, facts?: Record<string, unknown>): Owner | undefined;
export function release(file: string): void;
export function alone<T>(file: string, work: () => Promise<T>, onWait?: () => void): Promise<T>;
