import type { FastifyInstance } from 'fastify'

/** The dependencies of generations. */
export type Deps = Pick<FastifyInstance,
  'db' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' | 'llm' | 'telemetry'>

/** The job's name; its data names the generation. */
export const generationJob = 'content.generate'
