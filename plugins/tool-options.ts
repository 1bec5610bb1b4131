export interface PreviewRow { label: string, before: string | null, after: string | null }

export type Arguments = Record<string, unknown>

/** Reads through the API as the person for whom the tool is called; throws the operation's error. */
export type Read = (url: string) => Promise<Record<string, unknown>>

/**
 * What a route says to be a tool. The tool's name is the operationId, its description the operation's, its input the
 * path parameters, query and body in one object. A read runs at once. A write asks a person first: `summary` and
 * `preview` are made here, by code, from the parsed arguments and the live state, never by the model.
 */
export type ToolOptions = 'read' | {
  effect: 'write'
  risk: 'low' | 'medium' | 'high'
  /** One sentence of what will happen, such as "Scale service web in cluster prod from 2 to 4". */
  summary: (args: Arguments, read: Read) => Promise<string> | string
  /** What changes, field by field. Its reads also prove that the target exists. */
  preview: (args: Arguments, read: Read) => Promise<PreviewRow[]> | PreviewRow[]
  /** Arguments that the person may edit before approving; default: those of the body. */
  editable?: string[]
  /** After a crash in mid-call: was it done? Without this the outcome is `unknown`. */
  reconcile?: (args: Arguments, read: Read) => Promise<'done' | 'not_done' | 'unclear'>
}

declare module 'fastify' {
  interface FastifyContextConfig { tool?: ToolOptions }
}
