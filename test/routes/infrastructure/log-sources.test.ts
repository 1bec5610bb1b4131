import t from '../../tap.js'
import { idsOf, makeWorld, speak, startWithLogs, until } from './foreign-logs.js'

const world = makeWorld()
const { get, reset } = await startWithLogs(t, world)

t.beforeEach(reset)

t.test('denied logs are an error, also beside a container that has no log driver', async (t) => {
  world.containers = [{ name: 'web', group: '/ecs/web', prefix: 'ecs' }, { name: 'proxy' }]
  world.refusals = { '/ecs/web': 'AccessDeniedException' }
  t.match(await get('limit=5'), {
    status: 403,
    code: 'aws_permission_denied',
    sources: [{ group: '/ecs/web', status: 'denied', detail: /no logs for you/ },
      { container: 'proxy', status: 'unsupported', detail: 'The container has no log driver' }]
  })
})

t.test('each source that does not answer is named with its error, and the page is not complete', async (t) => {
  world.containers =
    [{ name: 'web', group: '/ecs/web', prefix: 'ecs' }, { name: 'side', group: '/ecs/side', prefix: 'ecs' }]
  world.lines = { '/ecs/web': speak('ecs/web', 50), '/ecs/side': speak('ecs/side', 50) }
  const kinds = { AccessDeniedException: 'denied', InvalidParameterException: 'failed' }
  for (const [refusal, status] of Object.entries(kinds)) {
    world.refusals = { '/ecs/side': refusal }
    let page = await get(`since=3h&${until}&limit=30`)
    t.match(page.sources, [{ container: 'web', status: 'ok', detail: null },
      { container: 'side', status, detail: `${refusal}: no logs for you` }], refusal)
    t.same([page.items.length, page.complete], [30, false])
    page = await get(`since=3h&${until}&limit=30&cursor=${encodeURIComponent(page.next_cursor)}`)
    t.same([page.items.length, page.complete, page.sources[1].status], [20, false, status], 'nor is the last one')
  }
})

t.test('a source that fails for a while loses no line: pages and polls ask it again', async (t) => {
  world.containers =
    [{ name: 'web', group: '/ecs/web', prefix: 'ecs' }, { name: 'side', group: '/ecs/side', prefix: 'ecs' }]
  world.lines = { '/ecs/web': speak('ecs/web', 50), '/ecs/side': speak('ecs/side', 50) }
  world.refusals = { '/ecs/side': 'InvalidParameterException' }
  const page = await get(`since=3h&${until}&limit=100`)
  t.equal(page.items.length, 50)
  const last = await get(`since=3h&${until}&limit=100&cursor=${encodeURIComponent(page.next_cursor)}`)
  t.match(last, { code: 'aws_rejected', sources: [{ status: 'ok' }, { status: 'failed' }] }, 'no endless empty pages')
  world.refusals = {}
  for (const cursor of [page.next_cursor, page.poll_cursor]) {
    const later = await get(`since=3h&${until}&limit=100&cursor=${encodeURIComponent(cursor)}`)
    t.same(idsOf(later).toSorted(), (world.lines['/ecs/side'] ?? []).map(({ eventId }) => eventId).toSorted())
  }
})
