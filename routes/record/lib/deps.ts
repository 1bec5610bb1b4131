import type { FastifyInstance } from 'fastify'

/** What the record's functions take of the application. */
export type Deps = Pick<FastifyInstance, 'db' | 'jobs' | 'log' | 'secrets' | 'home' | 'outbound' | 'config'>
