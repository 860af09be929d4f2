import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import { createProposal } from '@vigie/contracts/proposals';
import { readSite } from '@vigie/contracts/sites';
import type { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { z } from 'zod';
import { refuseMissingScope } from '../auth.guard';
import { env } from '../env';
import { accessRules, checkFields } from '../routes';
import { type ProposalTool, proposalTools } from './proposal-tools';
import { type ReadTool, readTools } from './read-tools';
import { cleanValue, untrustedKey, untrustedNote } from './untrusted-text';

type Tool = ReadTool | ProposalTool;
const isProposal = (tool: Tool): tool is ProposalTool => 'plan' in tool;

const tools: readonly Tool[] = [...readTools, ...proposalTools];

/** An answer beyond this is of no use to an assistant. */
const maxAnswerBytes = 256 * 1024;

/** The same refusals as on the contract's own route: its scope, its access rule, and what a narrowed token reaches. */
function refuseTool(tool: Tool): void {
  const { contract } = tool;
  const user = currentUser();
  // A plan says what the sites have, whatever the call that makes it asks for.
  if (isProposal(tool)) refuseMissingScope(user, readSite);
  refuseMissingScope(user, contract);
  if (accessRules[contract.access ?? 'admin'].adminsOnly && user.role !== 'admin')
    throw new AppError('forbidden', 'Accès réservé aux administrateurs.');
  if (user.groupIds && contract.grantRole === undefined)
    throw new AppError('forbidden', 'Ce jeton est limité à des groupes\u00a0: il ne lit pas cela.');
}

function isCallable(tool: Tool): boolean {
  try {
    refuseTool(tool);
    return true;
  } catch {
    return false;
  }
}

/** The tools that the caller may call. */
export const listTools = () => tools.filter(isCallable).map(describeTool);

function describeTool(tool: Tool): McpTool {
  const inputSchema = z.toJSONSchema(tool.arguments, { io: 'input' }) as McpTool['inputSchema'];
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema,
    annotations: { title: tool.title, readOnlyHint: !isProposal(tool), destructiveHint: false, openWorldHint: false },
  };
}

/** What a tool answers: an object, whose foreign part is marked. */
export type ToolAnswer = Record<string, unknown>;

export async function callTool(bus: Bus, name: string, given: unknown): Promise<ToolAnswer> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new AppError('not_found', 'Cet outil n’existe pas.');
  refuseTool(tool);
  const fields = tool.arguments.safeParse(given ?? {});
  if (!fields.success) throw toAppError(fields.error);
  const answer = isProposal(tool) ? await propose(bus, tool, fields.data) : await read(bus, tool, fields.data);
  const marked = { note: untrustedNote, ...answer };
  if (Buffer.byteLength(JSON.stringify(marked)) <= maxAnswerBytes) return marked;
  throw new AppError(
    'too_large',
    'Cette réponse est trop grande\u00a0: demandez moins d’éléments, ou précisez la recherche.',
  );
}

async function read(bus: Bus, tool: ReadTool, fields: Record<string, unknown>): Promise<ToolAnswer> {
  const output: unknown = await bus.call(tool.contract, checkFields<Contract>(tool.contract, tool.toInput(fields)));
  return markUntrusted(tool.shorten(output, fields));
}

async function propose(bus: Bus, tool: ProposalTool, fields: Record<string, unknown>): Promise<ToolAnswer> {
  const proposed = await tool.plan(bus, fields);
  checkFields<Contract>(tool.contract, proposed.input);
  const { reason } = fields as { reason: string };
  const { id, expires_at: expiresAt } = await bus.call(createProposal, { ...proposed, reason });
  const { plan, notes } = proposed;
  return {
    proposal_id: id,
    confirm_at: `${env.VIGIE_PUBLIC_URL?.replace(/\/+$/, '') ?? ''}/proposals/${id}`,
    expires_at: expiresAt,
    next: 'Nothing has changed. Give the person this address: only they can confirm, logged in to Vigie.',
    ...markUntrusted({ plan: plan.slice(0, maxShownLines), lines: plan.length, notes }),
  };
}

const maxShownLines = 100;

export const markUntrusted = (value: unknown): ToolAnswer => ({ [untrustedKey]: cleanValue(value) });
