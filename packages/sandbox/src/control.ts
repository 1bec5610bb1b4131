import { Type, type Static } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

export interface Clock {
  readonly frozen: boolean
  now (): number
  freeze (): void
  thaw (): void
  advance (ms: number): void
}

/** The common part of every sandbox for tests. A reset may replace the world. */
export interface Controlled {
  world: { clock: Clock }
  faults: { list (): unknown[], clear (): void }
  journal: {
    find (filter: Static<typeof CallsQuery>): unknown[]
    counts (): Record<string, number>
    clear (): void
  }
}

const ClockChange = Type.Object({
  advance_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  frozen: Type.Optional(Type.Boolean())
}, { additionalProperties: false })

const CallsQuery = Type.Object({
  service: Type.Optional(Type.String()),
  operation: Type.Optional(Type.String()),
  after: Type.Optional(Type.Integer())
})

const clockOf = ({ world: { clock } }: Controlled) =>
  ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen })

const changeClock = (sandbox: Controlled, { advance_ms: advanceMs, frozen }: Static<typeof ClockChange>) => {
  const { clock } = sandbox.world
  if (frozen === true) clock.freeze()
  if (frozen === false) clock.thaw()
  if (advanceMs !== undefined) clock.advance(advanceMs)
  return clockOf(sandbox)
}

/** The common part of all control paths. Each sandbox arms faults in its own way. */
export const commonControl: FastifyPluginAsyncTypebox<{ sandbox: Controlled, reset: () => void }> =
  async (app, { sandbox, reset }) => {
    const done = (act: () => void) => async () => {
      act()
      return { ok: true }
    }
    app.post('/reset', done(reset))
    app.get('/clock', async () => clockOf(sandbox))
    app.post('/clock', { schema: { body: ClockChange } }, async ({ body }) => changeClock(sandbox, body))
    app.get('/faults', async () => ({ faults: sandbox.faults.list() }))
    app.delete('/faults', done(() => sandbox.faults.clear()))
    app.get('/calls', { schema: { querystring: CallsQuery } }, async ({ query }) => {
      const calls = sandbox.journal.find(query)
      return { count: calls.length, calls, counts: sandbox.journal.counts() }
    })
    app.delete('/calls', done(() => sandbox.journal.clear()))
  }
