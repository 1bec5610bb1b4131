import type { FastifyInstance } from 'fastify'

export type Deps = Pick<FastifyInstance,
'db' | 'jobs' | 'log' | 'config' | 'secrets' | 'outbound' | 'inject' | 'tickets' | 'crossing'>

/** The job's name; it says only which publication to look at. */
export const publicationJob = 'content.publication'
export const sweepJob = 'content.sweep'
