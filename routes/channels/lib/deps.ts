import type { FastifyInstance } from 'fastify'

/** What the functions of channels take of the application. */
export type Deps = Pick<FastifyInstance,
  'db' | 'jobs' | 'log' | 'secrets' | 'outbound' | 'config' | 'inject' | 'tickets' | 'workspaces' |
  'unnumbered' | 'sandbox' | 'home'>
