import { Controller, Get, Header } from '@nestjs/common';
import { answerSchema } from '@vigie/contracts/answers';
import { release } from '@vigie/contracts/release';
import { z } from 'zod';
import { RouteList, type ServedRoute } from './route-list';
import { Allows } from './routes';

@Controller('api/docs')
export class DocsController {
  private text: string | undefined;

  constructor(private readonly routes: RouteList) {}

  /** OpenAPI, derived from the routes and their contracts. Cached, since building it blocks the event loop for a moment. */
  @Get()
  @Allows('user')
  @Header('content-type', 'application/json; charset=utf-8')
  read(): string {
    this.text ??= JSON.stringify(describe(this.routes.all()));
    return this.text;
  }
}

function describe(routes: ServedRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return { openapi: '3.1.0', info: { title: 'Vigie', version: release.slice(1) }, paths };
}

function operationOf({ method, path, access, contract }: ServedRoute) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const input = contract && jsonSchema(contract.input, 'input');
  const file = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } };
  const content = contract?.takesFile
    ? { 'multipart/form-data': { schema: file } }
    : { 'application/json': { schema: input } };
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && Object.keys(input?.['properties'] ?? {}).length > 0;
  return {
    operationId: contract?.name,
    'x-access': access,
    ...(contract?.scope && { 'x-scope': contract.scope }),
    security: access === 'public' || access === 'ticket' ? [] : [{ bearer: [] }],
    parameters: inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(hasBody && { requestBody: { content } }),
    responses: {
      default: {
        description: contract ? 'the answer, or `{detail}`' : 'see the documentation',
        ...(contract && { content: { 'application/json': { schema: jsonSchema(answerSchema(contract), 'output') } } }),
      },
    },
  };
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' });
