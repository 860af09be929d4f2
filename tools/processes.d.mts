export type Process = { pid: number; name: string; parent: number; terminal: number };
export function processesIn(folder: string, all?: readonly Process[]): Process[];
