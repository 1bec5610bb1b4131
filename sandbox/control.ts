import { Type, type Static } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

export interface Clock {
  readonly frozen: boolean
  now (): number
  freeze (): void
  thaw (): void
  advance (ms: number): void
}

/** What every stand-in lets tests steer. A reset may put another world in place. */
export interface Steered {
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

const clockOf = ({ world: { clock } }: Steered) => ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen })

const changeClock = (sandbox: Steered, { advance_ms: advanceMs, frozen }: Static<typeof ClockChange>) => {
  const { clock } = sandbox.world
  if (frozen === true) clock.freeze()
  if (frozen === false) clock.thaw()
  if (advanceMs !== undefined) clock.advance(advanceMs)
  return clockOf(sandbox)
}

/** The part of the control path that all stand-ins have. How a fault is armed is each one's own. */
export const commonControl: FastifyPluginAsyncTypebox<{ sandbox: Steered, reset: () => void }> =
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
