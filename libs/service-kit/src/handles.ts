import { MessagePattern } from '@nestjs/microservices';
import type { Caller, Contract, Output, ReceivedInput } from '@vigie/contracts/contract';
import { ownerOf } from '@vigie/contracts/contract';

const handled = new Set<Contract>();

/** The contracts of all controllers that the process has loaded, whether or not its module lists them. */
export const handledContracts: ReadonlySet<Contract> = handled;

/** Registers the method as the handler of a contract; other input or output types do not compile. */
export const Handles = <C extends Contract>(contract: C) => {
  handled.add(contract);
  return MessagePattern(contract.name, { contract }) as <
    T extends (input: ReceivedInput<C>) => Promise<Output<C>> | Output<C>,
  >(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<T>,
  ) => void;
};

/** Compares the contracts that `app` owns with its handlers, and returns the faults. */
export function handlerFaults(app: Caller, patterns: readonly string[], contracts: readonly Contract[]): string[] {
  const owned = contracts.map(({ name }) => name).filter((name) => ownerOf(name) === app);
  return [
    ...owned.filter((name) => !patterns.includes(name)).map((name) => `${name} has no handler`),
    ...patterns.filter((name, at) => patterns.indexOf(name) !== at).map((name) => `${name} has two handlers`),
    ...patterns
      .filter((name) => !owned.includes(name))
      .map((name) => `${name} is handled but is no contract of ${app}`),
  ];
}
