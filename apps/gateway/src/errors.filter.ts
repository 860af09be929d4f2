import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { AppError, type ErrorCode, httpStatus } from '@vigie/contracts/errors';
import { currentContext } from '@vigie/service-kit/context';
import { toAnswer } from '@vigie/service-kit/failures';
import type { Log } from '@vigie/service-kit/log';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The edge of the gateway: every error leaves as `{detail}`, a French sentence for the user. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.log);
  }
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const answer = fromFramework(error) ?? toAnswer(error, log, currentContext()?.requestId ?? request.id);
  if (reply.sent) return;
  if (answer.retryAfter !== undefined) void reply.header('retry-after', String(answer.retryAfter));
  void reply.status(httpStatus[answer.code]).send({ detail: answer.detail });
}

const sentences: Partial<Record<number, [ErrorCode, string]>> = {
  400: ['invalid', 'La requête est mal formée.'],
  404: ['not_found', 'Cette adresse n’existe pas.'],
  408: ['invalid', 'La requête est arrivée trop lentement.'],
  413: ['too_large', 'La requête est trop volumineuse.'],
  414: ['invalid', 'L’adresse est trop longue.'],
  415: ['unsupported_type', 'Ce type de contenu n’est pas accepté\u00a0: envoyez du JSON.'],
  431: ['invalid', 'Les en-têtes de la requête sont trop volumineux.'],
};

/** Refusals of Fastify and Nest before a route is reached. Their 5xx are bugs, not answers. */
function fromFramework(error: unknown): AppError | undefined {
  const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
  const sentence = status === undefined || error instanceof AppError ? undefined : sentences[status];
  return sentence && new AppError(sentence[0], sentence[1], { cause: error });
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
