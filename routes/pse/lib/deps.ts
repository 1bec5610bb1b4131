import type { FastifyInstance } from 'fastify'

/** What the area's code has to work with. */
export type Deps = Pick<FastifyInstance,
  'db' | 'inject' | 'tickets' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' | 'llm' | 'sandbox' | 'outbound' |
  'extractor' | 'telemetry'>
