import { z } from 'zod';
import { ConsoleSize } from './consoles';
import { id } from './text';

const offset = z.int().min(0);

export const consoleProtocol = 'vigie.console.v1';

/** No frame of a websocket is larger, either way. */
export const largestFrame = 65_536;

/** How much output waits for whoever reads it before the shell is paused, and how much of it is kept. */
export const consoleWindow = 262_144;

/** What a websocket says in text beside its keystrokes. */
export const ClientMessage = z.discriminatedUnion('type', [
  ConsoleSize.extend({ type: z.literal('resize') }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('ack'), offset }),
  z.object({ type: z.literal('close') }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const ConsoleTrouble = z.enum([
  'taken_over',
  'gone',
  'session_ended',
  'server_gone',
  'flood',
  'too_many',
  'unavailable',
  'ssh',
  'host_key_changed',
]);
export type ConsoleTrouble = z.infer<typeof ConsoleTrouble>;

/** Of those that the agent and the gateway both see. */
export const troubleSentences = {
  taken_over: 'Cette console est maintenant ouverte ailleurs.',
  unavailable: 'La console est momentanément injoignable. Nouvel essai dans un instant.',
  session_ended: 'Votre session est terminée\u00a0: la console est fermée.',
  server_gone: 'Ce serveur n’existe plus, ou n’est plus à vous\u00a0: la console est fermée.',
} satisfies Partial<Record<ConsoleTrouble, string>>;

/** From a gateway to the agent that has the shell. `detach`: whoever saw it went away, and may come back. */
export const GatewayFrame = z.discriminatedUnion('type', [
  ConsoleSize.extend({ type: z.literal('resize') }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('ack'), offset }),
  z.object({ type: z.literal('close') }),
  z.object({ type: z.literal('detach') }),
]);
export type GatewayFrame = z.infer<typeof GatewayFrame>;

/** And back. `is_others`: it was somebody else who typed last. `taken`: as much input has left for the host. */
export const AgentFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('attached'),
    from: offset,
    lost: offset,
    input: offset,
    is_new: z.boolean(),
    is_others: z.boolean().default(false),
  }),
  z.object({ type: z.literal('taken'), input: offset }),
  z.object({ type: z.literal('exit'), code: z.int().nullable(), signal: z.string().nullable() }),
  z.object({ type: z.literal('error'), code: ConsoleTrouble, message: z.string() }),
  z.object({ type: z.literal('pong') }),
]);
export type AgentFrame = z.infer<typeof AgentFrame>;

/** How a gateway attaches, sealed for the agents. */
export const ConsoleAttach = z.object({
  /** Of all frames of this attach. */
  key: z.base64(),
  /** The first byte of output that is wanted. */
  from: offset,
  size: ConsoleSize.nullable(),
  /** One page, however often it comes back: who counts what it has typed must know what others did. */
  client: id.nullish(),
  /** Whether the shell waits for somebody to come back; else it ends with this attach. */
  keeps: z.boolean(),
});
export type ConsoleAttach = z.infer<typeof ConsoleAttach>;
