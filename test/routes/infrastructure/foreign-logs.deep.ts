import t from '../../tap.js'
import { idsOf, makeWorld, now, speak, startWithLogs, until, type Line } from './foreign-logs.js'

const world = makeWorld()
const { get, reset } = await startWithLogs(t, world)

const readBack = async (query: string): Promise<string[]> => {
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 100; pages++) {
    const page = await get(`${query}${cursor}`)
    seen.unshift(...idsOf(page))
    if (page.next_cursor === null) return seen
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
  return [...seen, 'there is no end']
}

t.beforeEach(reset)

t.test('the newest lines come from an endpoint that only reads oldest first', async (t) => {
  for (const limit of [1, 20, 201]) {
    const page = await get(`since=2h&${until}&limit=${limit}`)
    const newest = (world.lines['/ecs/web'] ?? []).slice(0, limit)
      .map(({ timestamp }) => new Date(timestamp).toISOString())
    t.same(page.items.map(({ timestamp }: { timestamp: string }) => timestamp), newest.toSorted(), `${limit}`)
  }
})

t.test('paging back shows each line once and in order, whatever the endpoint\'s order and page', async (t) => {
  for (const [limit, size] of [[251, 10_000], [300, 70]] as const) {
    world.pageSize = size
    const seen = await readBack(`since=3h&${until}&limit=${limit}`)
    const all = (world.lines['/ecs/web'] ?? []).map(({ eventId }) => eventId ?? '')
    t.equal(new Set(seen).size, seen.length, `${limit}: none twice`)
    t.same(seen.toSorted(), all.toSorted(), `${limit}: all of them`)
  }
})

t.test('two containers of one group are not mixed up, though the endpoint knows no prefix', async (t) => {
  world.containers =
    [{ name: 'web', group: '/ecs/web', prefix: 'ecs' }, { name: 'side', group: '/ecs/web', prefix: 'ecs' }]
  world.lines = { '/ecs/web': [...speak('ecs/web', 100), ...speak('ecs/side', 100)] }
  const seen = await readBack(`since=3h&${until}&limit=71`)
  t.equal(new Set(seen).size, seen.length)
  t.equal(seen.length, 200)
  const side = await get(`since=3h&${until}&limit=1000&container=side`)
  t.equal(side.items.length, 100)
})

t.test('a group that two containers share without a prefix is read once', async (t) => {
  world.containers = [{ name: 'web', group: '/ecs/web' }, { name: 'side', group: '/ecs/web' }]
  world.lines = { '/ecs/web': speak('abc', 100) }
  const page = await get(`since=3h&${until}&limit=1000`)
  t.same([page.items.length, page.sources.length, page.sources[0].container], [100, 1, null])
})

t.test('lines without an id are distinguished', async (t) => {
  world.lines = { '/ecs/web': speak('ecs/web', 40).map(({ eventId: _id, ...line }) => line) }
  const seen = await readBack(`since=3h&${until}&limit=17`)
  t.equal(new Set(seen).size, 40)
  t.equal(seen.length, 40)
})

t.test('polls show what is new, once, also where one moment has more lines than a page', async (t) => {
  world.containers = [{ name: 'web', group: '/ecs/web', prefix: 'ecs' }]
  const flood = (from: number, count: number): Line[] => Array.from({ length: count }, (_, index) => ({
    timestamp: now + Math.floor((from + index) / 40),
    message: `line ${from + index}`,
    eventId: `flood-${from + index}`,
    logStreamName: 'ecs/web/task-1'
  }))
  world.lines = { '/ecs/web': flood(0, 1_000) }
  const first = await get(`since=1m&until=${new Date(now + 1_000).toISOString()}&limit=100`)
  t.same(idsOf(first).toSorted(), flood(900, 100).map(({ eventId }) => eventId).toSorted())
  world.lines = { '/ecs/web': flood(0, 1_700) }
  const seen: string[] = []
  let cursor = first.poll_cursor
  for (let polls = 0; polls < 8; polls++) {
    const page = await get(`limit=100&cursor=${encodeURIComponent(cursor)}`)
    seen.push(...idsOf(page))
    cursor = page.poll_cursor
  }
  t.equal(new Set(seen).size, seen.length, 'none twice, and none of an older page')
  t.same(seen.toSorted(), flood(1_000, 700).map(({ eventId }) => eventId).toSorted())
})
