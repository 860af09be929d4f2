import { Controller } from '@nestjs/common';
import { allContracts } from '@vigie/contracts/all';
import type { Contract } from '@vigie/contracts/contract';
import type { JobTicket } from '@vigie/contracts/jobs';
import { Bus } from '@vigie/service-kit/bus';
import { answerJob, answerTicket } from './job-answers';
import { answerList, answerPages } from './list-answers';
import { Exchange, readInput, Serves } from './routes';

/** Serves each call whose answer follows from its contract. Other controllers serve those whose answer is `custom`. */
@Controller()
export class ContractRoutes {
  constructor(readonly bus: Bus) {}
}

const isCustom = ({ answer }: Contract) => answer === 'custom' || (typeof answer === 'object' && 'custom' in answer);

for (const contract of allContracts) if (contract.endpoints.length > 0 && !isCustom(contract)) addRoutes(contract);

function addRoutes(contract: Contract): void {
  const { prototype } = ContractRoutes;
  const value = async function serve(this: ContractRoutes, exchange: Exchange): Promise<unknown> {
    return answerCall(this.bus, contract, readInput(contract, exchange.request), exchange);
  };
  const descriptor: PropertyDescriptor = { value };
  Object.defineProperty(prototype, contract.name, descriptor);
  Exchange()(prototype, contract.name, 0);
  Serves(contract)(prototype, contract.name, descriptor);
}

async function answerCall(bus: Bus, contract: Contract, input: unknown, exchange: Exchange): Promise<unknown> {
  const { answer, status } = contract;
  const fields = input as { offset: number; limit?: number };
  const call = (part?: object) => bus.call(contract, { ...fields, ...part });
  if (answer === 'ticket') return answerTicket(call() as Promise<JobTicket>, exchange);
  if (answer === 'list') return answerList(fields, exchange.reply, call);
  if (typeof answer === 'object' && 'pages' in answer) return answerPages(answer.pages, fields, exchange.reply, call);
  if (typeof answer === 'object') return answerJob(bus, call() as Promise<JobTicket>, exchange);
  const output = await call();
  if (answer === 'items') return Object(output).items;
  return status === 204 ? undefined : output;
}
