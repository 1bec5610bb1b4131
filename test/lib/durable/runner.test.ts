import { sql } from 'kysely'
import t from '../../tap.js'
import { v7 as uuid } from 'uuid'
import { leasesOf, type Claimant, type LeasedRow } from '../../../db/durable/leases.js'
import { LostLease, LostTooOften, Stopping, HeldWork, type DurableKind } from '../../../lib/durable/kind.js'
import { Runner } from '../../../lib/durable/runner.js'
import { workspace } from '../../app.js'

const app = await workspace(t, { WORKER: 'false' })
const { db, database, log, config: { limits } } = app
const workspace_id = app.home.workspace_id

await sql`create table scratch_work (workspace_id uuid not null, id uuid not null, status text not null,
  lease_owner uuid, lease_epoch bigint not null default 0, lease_until timestamptz, attempts integer not null default 0,
  cancel_requested_at timestamptz, created_at timestamptz not null default now(), primary key (workspace_id, id))`
  .execute(db)

type Row = LeasedRow & { attempts: number }
type Work = HeldWork<Row>

const leases = leasesOf<Row>('scratch_work', ['workspace_id', 'id', 'lease_epoch', 'attempts'], ['open'])

const insert = async () => {
  const key = { workspace_id, id: uuid() }
  await sql`insert into scratch_work (workspace_id, id, status) values (${workspace_id}, ${key.id}, 'open')`.execute(db)
  return key
}

const rowOf = async (id: string) => (await sql<{ lease_owner: string | null, attempts: number }>`
  select lease_owner, attempts from scratch_work where id = ${id}`.execute(db)).rows[0]

const claimant = (owner = uuid(), holds: string[] = []): Claimant =>
  ({ owner, leaseMs: -1, holds, takes: { unowned: true, lapsed: true } })

/** A runner of the table, and the errors with which its work failed. */
const make = (run: (work: Work) => Promise<unknown>, more: Partial<DurableKind<Row, Work>> = {}) => {
  const failed: unknown[] = []
  const fail = async (_work: Work, error: unknown) => { failed.push(error) }
  const hold = (row: Row) => new HeldWork(db, row)
  const kind = { name: 'scratches', atOnce: 2, maxLost: 2, leases, hold, run, fail, ...more }
  return { failed, runner: new Runner<Row, Work>(kind, { db, database, limits, log }) }
}

const untilAborted = ({ abort: { signal } }: Work) => new Promise<never>((_resolve, reject) => {
  signal.addEventListener('abort', () => { reject(new Error('whatever was interrupted')) })
})

const broken = () => Object.assign(new Error('Connection terminated'), { code: '57P01' })

t.test('attempts count leases that lapsed, and a release in good order begins anew', async (t) => {
  const key = await insert()
  const [first, second, third] = [await leases.claim(db, key, claimant()), await leases.claim(db, key, claimant()),
    await leases.claim(db, key, claimant())]
  t.same([first, second, third].map((row) => row?.attempts), [0, 1, 2])
  await leases.releaseLease(db, second as Row)
  t.match(await rowOf(key.id), { attempts: 2 }, 'a release under an old epoch changes nothing')
  await leases.releaseLease(db, third as Row)
  t.match(await rowOf(key.id), { lease_owner: null, attempts: 0 })
  t.match(await leases.claim(db, key, claimant()), { attempts: 0 })
})

t.test('a process that was stalled does not claim again what it holds', async (t) => {
  const key = await insert()
  await leases.claim(db, key, claimant())
  t.equal(await leases.claim(db, key, claimant(uuid(), [key.id])), undefined)
})

t.test('work whose leases lapsed too often is given up', async (t) => {
  const key = await insert()
  for (let lost = 0; lost < 2; lost++) await leases.claim(db, key, claimant())
  const { runner, failed } = make(async () => t.fail('it is not begun'))
  await (await runner.claim(key))?.ended
  t.match(failed, [LostTooOften])
})

t.test('a connection error fails no work: its lease lapses', async (t) => {
  const key = await insert()
  const { runner, failed } = make(async () => { throw broken() })
  await (await runner.claim(key))?.ended
  t.same(failed, [])
  t.match(await rowOf(key.id), { lease_owner: runner.instance })
})

t.test('work that returns after an outage is released as soon as the database answers', async (t) => {
  const key = await insert()
  const { runner, failed } = make(async () => { throw broken() }, { returnsAfterOutage: true })
  await (await runner.claim(key))?.ended
  t.same(failed, [])
  t.match(await rowOf(key.id), { lease_owner: null, attempts: 0 })
})

t.test('a write under an old epoch is none', async (t) => {
  const key = await insert()
  const { runner, failed } = make((work) => work.commit(async () => undefined))
  await (await runner.claim(key))?.ended
  t.same(failed, [], 'the row says what became of the work')
  await t.rejects(new HeldWork(db, { ...key, lease_epoch: 1, attempts: 0 }).commit(async () => undefined), LostLease)
})

t.test('a stop releases what is held, and what a claim under way brings', async (t) => {
  const [held, late] = [await insert(), await insert()]
  let stop: Promise<void> | undefined
  const reasons: unknown[] = []
  const { runner, failed } = make(async (work) => {
    await untilAborted(work).finally(() => reasons.push(work.abort.signal.reason))
  }, {
    leases: {
      ...leases,
      claim: async (...args) => {
        if (args[1].id === late.id) stop = runner.stop()
        return leases.claim(...args)
      }
    }
  })
  await runner.claim(held)
  await (await runner.claim(late))?.ended
  await stop
  t.match(reasons, [Stopping], 'the late one is not begun')
  for (const { id } of [held, late]) t.match(await rowOf(id), { lease_owner: null, attempts: 0 })
  t.same(failed, [])
  t.equal(await runner.claim(held), undefined)
})

t.test('work that does not end on its abort does not hold up a stop', async (t) => {
  const key = await insert()
  const { runner } = make(() => new Promise(() => undefined))
  await runner.claim(key)
  await runner.stop()
  t.match(await rowOf(key.id), { lease_owner: runner.instance }, 'its lease lapses')
})
