export type Process = { pid: number; name: string; parent: number; terminal: number };
export function processesIn(folders: readonly string[], all?: readonly Process[]): Process[];
export function descendantsOf(pids: readonly number[], all?: readonly Process[]): Process[];
