import type { FastifyInstance } from 'fastify'

/** The parts of the application that the area's code uses. */
export type Deps = Pick<FastifyInstance,
  'db' | 'database' | 'inject' | 'tickets' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' | 'llm' | 'sandbox' |
  'outbound' | 'extractor' | 'telemetry' | 'workspaces'>
