import type { FastifyInstance } from 'fastify'

export type Deps = Pick<FastifyInstance,
'db' | 'jobs' | 'log' | 'config' | 'sandbox' | 'secrets' | 'outbound' | 'inject' | 'tickets' | 'failpoint' | 'objects'>
