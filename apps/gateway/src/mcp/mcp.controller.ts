import { Controller, HttpCode, Post } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import type { FastifyRequest } from 'fastify';
import { ownOrigins } from '../own-origins';
import { Allows, Exchange } from '../routes';
import { McpAnswers } from './mcp-answers';

/** Lets an assistant read what its token may read, and propose what a person then confirms. */
@Controller('api/mcp')
export class McpController {
  private readonly origins = ownOrigins();

  constructor(private readonly answers: McpAnswers) {}

  @Post()
  @Allows('bearer')
  @HttpCode(200)
  async answer(@Exchange() { request, reply }: Exchange): Promise<string> {
    this.refuseForeignOrigin(request);
    const body = messageOf(request);
    const answer = await this.answers.answer({ headers: headersOf(request), body, context: request.context });
    const type = answer.headers.get('content-type');
    void reply.status(answer.status);
    if (type !== null) void reply.header('content-type', type);
    return answer.text();
  }

  /** A page of another site must not speak for the person who opened it. Programs send no origin. */
  private refuseForeignOrigin({ headers: { origin } }: FastifyRequest): void {
    if (origin === undefined || this.origins.has(origin)) return;
    throw new AppError('forbidden', 'Cette adresse n’accepte que les pages de Vigie et les programmes.');
  }
}

/** One message: a batch would be many calls for the price of one request. */
function messageOf({ body }: FastifyRequest): object {
  const message: unknown = body;
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw new AppError('schema', 'Le corps de la requête doit être un seul message JSON-RPC.');
  // A subscription would stay open, and there is nothing to subscribe to.
  if ('method' in message && message.method === 'subscriptions/listen')
    throw new AppError('invalid', 'Vigie n’a rien à quoi s’abonner.');
  return message;
}

/** The protocol's own headers: the bearer stays here. */
function headersOf({ headers }: FastifyRequest): Headers {
  const names = Object.keys(headers).filter((name) => /^(?:accept|content-type|mcp-.*)$/.test(name));
  return new Headers(names.map((name) => [name, String(headers[name])]));
}
