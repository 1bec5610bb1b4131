import fc from 'fast-check'
import t from '../../tap.js'
import { loadPageModule } from '../../guards/catalogue.js'
import type * as Schedules from '../../../web/pages/triggers/schedule.js'

// The module of the page is loaded by its text, and has the type of its source.
const { readSchedule, writeSchedule } = await loadPageModule('web/pages/triggers/schedule.ts') as typeof Schedules

const two = (value: number) => String(value).padStart(2, '0')
const time = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`)
const schedule: fc.Arbitrary<Schedules.Schedule> = fc.oneof(
  fc.record({ kind: fc.constantFrom('weekdays' as const, 'daily' as const), time }),
  fc.record({ kind: fc.constant('weekly' as const), day: fc.nat(6), time }),
  fc.record({ kind: fc.constant('monthly' as const), day: fc.integer({ min: 1, max: 31 }), time }),
  fc.record({ kind: fc.constant('hourly' as const), minute: fc.nat(59) })
)

t.test('a schedule in words is written as cron, and read as the same', (t) => {
  fc.assert(fc.property(schedule, (one) => JSON.stringify(readSchedule(writeSchedule(one))) === JSON.stringify(one)))
  t.equal(writeSchedule({ kind: 'weekdays', time: '08:00' }), '0 8 * * 1-5')
  t.end()
})

t.test('any other cron stays what it is', (t) => {
  for (const cron of ['*/5 * * * *', '0 8 1 * 1', '0 8 * 2 *', '0 8 * * 1,3', '0 25 * * *', '60 8 * * *', '0 8 * *', '', 'daily']) {
    t.same(readSchedule(cron), { kind: 'cron', cron })
    t.equal(writeSchedule(readSchedule(cron)), cron)
  }
  t.end()
})
