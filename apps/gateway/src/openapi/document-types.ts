import type { Access } from '@vigie/contracts/routes';

/** A JSON schema, as far as this folder reads it. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  [keyword: string]: unknown;
};

export type Media = { schema: Schema; example?: unknown };
export type Header = { description: string; schema: Schema };
export type Response = {
  $ref?: string;
  description?: string;
  headers?: Record<string, Header>;
  content?: Record<string, Media>;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
};

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  'x-access': Access;
  'x-scope'?: string;
  'x-grant-role'?: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
};

export type Document = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string; 'x-displayName': string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, object>;
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
  };
};
