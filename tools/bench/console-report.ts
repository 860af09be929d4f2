import { fr } from '../terminal';
import { aim, milliseconds, number, printTable, times } from './table';

type Times = { p50: number; p99: number };
export type Consoles = {
  count: number;
  own: Times;
  rival: Times;
  megabytes: { gateway: number; agent: number };
};

export function reportConsoles({ count, own, rival, megabytes }: Consoles): void {
  const row = (name: string, part: keyof Times) => [
    name,
    milliseconds(own[part]),
    milliseconds(rival[part]),
    times(own[part] / rival[part]),
  ];
  console.log(`\n${fr`Consoles : ${count} à la fois`}`);
  printTable(
    ['', 'Vigie', 'ssh', 'rapport'],
    [row('écho d’une touche, p50', 'p50'), row('écho d’une touche, p99', 'p99')],
  );
  const { gateway, agent } = megabytes;
  console.log(fr`  mémoire par console : passerelle ${number(gateway, 2)} Mo, agent ${number(agent, 2)} Mo ; ${aim(
    'p50 ≤ 10 ms',
    own.p50 <= 10,
  )}
  Un sshd privé sur la même machine ; chacun tape deux touches par seconde, à son moment, dans « cat » sur un terminal
  brut. Vigie : WebSocket, passerelle, NATS et agent, chacun pour tous. ssh : un processus par console, lu par un tube.
  Mémoire : part propre à chaque processus (Pss), après contre avant, une première console ayant servi.`);
}
