import type { FastifyInstance } from 'fastify'
import { listToNumber, listToSign } from '../../db/record/chain.js'
import { defineDueJobs } from '../../lib/durable/due-jobs.js'
import { messageOf } from '../../schemas/unknown.js'
import { forwardingKind } from './lib/forward.js'
import { removeOld, numberEntries } from './lib/number-entries.js'
import { everySeconds } from './lib/sign-checkpoint.js'

/** How long what was recorded waits at most whose process did not number it. */
const sweepMs = 60_000

/** Numbers what this process has recorded, soon after; one at a time for each workspace. */
const bindNumbering = (app: FastifyInstance): void => {
  const busy = new Map<string, Promise<void>>()
  const number = async (workspaceId: string): Promise<void> => {
    await numberEntries(app, workspaceId)
  }
  app.unnumbered.number = (workspaceId) => {
    const work = (busy.get(workspaceId) ?? Promise.resolve()).then(() => number(workspaceId))
      .catch((error: unknown) => app.log.warn({ reason: messageOf(error) }, 'record not numbered'))
      .finally(() => { if (busy.get(workspaceId) === work) busy.delete(workspaceId) })
    busy.set(workspaceId, work)
  }
  app.addHook('preClose', async () => { await Promise.all(busy.values()) })
}

export const bindJobs = (app: FastifyInstance): void => {
  bindNumbering(app)
  defineDueJobs(app, forwardingKind)
  app.jobs.define('record.sweep-old', () => removeOld(app), { cron: '41 3 * * *' })
  app.jobs.define('record.sweep-unnumbered', async () => {
    for (const id of await listToNumber(app.db)) await numberEntries(app, id)
  }, { everyMs: sweepMs })
  app.jobs.define('record.sweep-unsigned', async () => {
    for (const id of await listToSign(app.db, everySeconds)) await numberEntries(app, id)
  }, { everyMs: 60_000 })
}
