import { availableParallelism, loadavg } from 'node:os';
import { fr } from '../terminal';
import { number } from './report';

/** Prints what the machine is, and whether it is busy. */
export function describeMachine(): void {
  const [load1 = 0] = loadavg();
  console.log(
    fr`Machine : ${availableParallelism()} cœurs, charge ${number(load1, 2)} au départ, Node ${process.version}.`,
  );
  if (load1 > 1)
    console.log(fr`Attention : la machine était occupée ; ces chiffres ne valent que sur une machine au repos.`);
}
