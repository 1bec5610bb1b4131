import type { FastifyInstance } from 'fastify'

/** What generations have to work with. */
export type Deps = Pick<FastifyInstance,
  'db' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' | 'llm' | 'telemetry'>

/** The job's name; it says only which generation to look at. */
export const generationJob = 'content.generate'
