import { z } from 'zod';

/** The part of a JSON schema that the reference shows. */
export type JsonSchema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  allOf?: readonly JsonSchema[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
};

/** Only looks whether it is an object: to check each part of each schema would delay the page. */
const Schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null);

const line = z.string().optional();
const Media = z.object({
  schema: Schema.optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown().optional() })).optional(),
});
const Content = z.record(z.string(), Media).optional();
const Header = z.object({ description: line, schema: Schema.optional(), example: z.unknown().optional() });

const Parameter = Header.extend({ name: z.string(), in: z.string(), required: z.boolean().optional() });
export type Parameter = z.infer<typeof Parameter>;

const Answer = z.object({
  $ref: line,
  description: line,
  headers: z.record(z.string(), Header).optional(),
  content: Content,
});
export type Answer = z.infer<typeof Answer>;

const OperationObject = z.object({
  operationId: line,
  tags: z.array(z.string()).default([]),
  summary: line,
  description: line,
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ description: line, required: z.boolean().optional(), content: Content }).optional(),
  responses: z.record(z.string(), Answer).default({}),
  security: z.array(z.unknown()).optional(),
  'x-scope': line,
  'x-access': line,
  'x-grant-role': line,
});
export type OperationObject = z.infer<typeof OperationObject>;

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const PathItem = z.object({
  get: OperationObject.optional(),
  post: OperationObject.optional(),
  put: OperationObject.optional(),
  patch: OperationObject.optional(),
  delete: OperationObject.optional(),
});

/** What the page reads of the OpenAPI document of this installation. */
export const ApiDocument = z.object({
  info: z.object({ version: z.string(), description: line }),
  tags: z.array(z.object({ name: z.string(), description: line, 'x-displayName': line })).default([]),
  paths: z.record(z.string(), PathItem),
  components: z
    .object({
      schemas: z.record(z.string(), Schema).default({}),
      responses: z.record(z.string(), Answer).default({}),
    })
    .default({ schemas: {}, responses: {} }),
});
export type ApiDocument = z.infer<typeof ApiDocument>;
export type Schemas = ApiDocument['components']['schemas'];

/** The last part of a reference: the name of what it refers to. */
export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** An answer in place of a reference to it. A description beside the reference says more than that of the answer. */
export function resolveAnswer(answer: Answer, answers: Readonly<Record<string, Answer>>): Answer {
  if (answer.$ref === undefined) return answer;
  const { $ref, ...beside } = answer;
  return { ...answers[refName($ref)], ...beside };
}

/** The example of some content, if it has one. */
export function exampleOf({ example, examples }: z.infer<typeof Media>): unknown {
  return example === undefined ? Object.values(examples ?? {})[0]?.value : example;
}
