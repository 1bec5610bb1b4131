import type { FastifyInstance } from 'fastify'

/** The dependencies of generations. */
export type Deps = Pick<FastifyInstance,
  'db' | 'database' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' | 'llm' | 'telemetry' | 'workspaces'>

/** The job's name; its data names the generation. */
export const generationJob = 'content.generate'
