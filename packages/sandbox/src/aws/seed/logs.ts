import { regionOf, type Account, type World } from '../core/world.js'
import { getOrCreateGroup } from '../logs/write.js'
import { DAY } from './services.js'

/** Groups that belong to no service: one of them of a class whose events cannot be read one by one. */
export function seedLogs (world: World, main: Account): void {
  const region = regionOf(main, 'eu-west-1')
  const now = world.clock.now()
  const audit = getOrCreateGroup(region, '/audit/console', now - 300 * DAY)
  audit.retentionInDays = 365
  audit.streams.set('console', {
    name: 'console',
    createdAt: now - 300 * DAY,
    lines: [],
    chatter: { voice: 'audit', everyMs: 7 * 60_000, from: now - 30 * DAY, until: undefined }
  })
  const archive = getOrCreateGroup(region, '/archive/cdn', now - 300 * DAY)
  archive.class = 'INFREQUENT_ACCESS'
}
