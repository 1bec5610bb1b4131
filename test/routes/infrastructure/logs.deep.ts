import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { steer } from './sandbox.js'

const app = await buildApp(t)
const sandbox = steer(app)
const web = '/infrastructure/containers/services/web/logs'
const get = async (url: string, headers = {}) => app.inject({ url, headers: { ...asAdmin, ...headers } })
const json = async (url: string) => (await get(url)).json()
const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)
const group = '/ecs/prod/web'

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

t.test('the newest lines over all tasks, oldest first', async (t) => {
  const answer = await get(`${web}?limit=20&since=1h`)
  t.equal(answer.statusCode, 200, answer.body)
  t.match(answer.headers['content-type'], /application\/json/)
  const page = answer.json()
  t.equal(page.items.length, 20)
  const times = page.items.map(({ timestamp }: { timestamp: string }) => timestamp)
  t.same(times, times.toSorted())
  t.ok(Date.now() - Date.parse(times.at(-1)) < 120_000, 'the newest, not the oldest of the range')
  t.match(page.items[0], {
    container: 'web', task_id: /^[0-9a-f]{32}$/, group, region: 'eu-west-1', truncated: false, stream: /^ecs\/web\//
  })
  t.same(page.sources,
    [{ region: 'eu-west-1', group, stream_prefix: 'ecs/web/', container: 'web', status: 'ok', detail: null }])
  t.match(page, { complete: false, notes: [], next_cursor: /./, poll_cursor: /./ })
  t.equal(new Set(page.items.map(({ task_id: task }: { task_id: string }) => task)).size, 2)
})

t.test('older pages lead to the beginning of the range with no gap and no repeat', async (t) => {
  // The range has ended: the sandbox, like AWS, may still be writing what is logged now.
  const until = new Date(Date.now() - 60_000).toISOString()
  const since = new Date(Date.now() - 1_860_000).toISOString()
  const range = `since=${since}&until=${until}`
  const whole = await json(`${web}?${range}&limit=1000`)
  t.ok(whole.complete)
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 40; pages++) {
    const page = await json(`${web}?${range}&limit=60${cursor}`)
    seen.unshift(...ids(page))
    if (page.next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
  t.same(seen, ids(whole))
})

t.test('the lines of two containers come in one order, page by page', async (t) => {
  const url = '/infrastructure/containers/services/api/logs'
  const until = new Date(Date.now() - 60_000).toISOString()
  const since = new Date(Date.now() - 360_000).toISOString()
  const whole = await json(`${url}?since=${since}&until=${until}&limit=1000`)
  t.equal(whole.sources.length, 2)
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 40; pages++) {
    const page = await json(`${url}?since=${since}&until=${until}&limit=90${cursor}`)
    seen.unshift(...ids(page))
    if (page.next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
  t.same(seen.toSorted(), ids(whole).toSorted())
  const one = await json(`${url}?container=api&limit=5`)
  t.same(new Set(one.items.map(({ container }: { container: string }) => container)), new Set(['api']))
})

t.test('a filter finds few lines over many pages, some of them empty', async (t) => {
  const until = new Date().toISOString()
  let url = `${web}?since=12h&until=${until}&filter=${encodeURIComponent('"no such line anywhere"')}`
  let calls = 0
  for (;;) {
    const page = await json(url)
    t.same(page.items, [])
    calls++
    if (page.next_cursor === null || calls > 30) {
      t.equal(page.complete, page.next_cursor === null)
      break
    }
    url = `${web}?since=12h&until=${until}&filter=${encodeURIComponent('"no such line anywhere"')}` +
      `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
  const found = await json(`${web}?since=1d&limit=5&filter=502`)
  t.equal(found.items.length, 5)
  for (const { message } of found.items) t.match(message, /502/)
})

t.test('polling returns what has come since, each line once', async (t) => {
  let page = await json(`${web}?limit=10`)
  const seen = new Set(ids(page))
  const first = page.items[0].timestamp
  for (let i = 0; i < 5; i++) {
    await sandbox.advance(20_000)
    const range = await json(`${web}?limit=500&cursor=${encodeURIComponent(page.poll_cursor)}`)
    for (const id of ids(range)) {
      t.notOk(seen.has(id), 'no repeat')
      seen.add(id)
    }
    page = range
  }
  const until = new Date(Date.now() + 101_000).toISOString()
  const whole = await json(`${web}?since=${first}&until=${until}&limit=1000`)
  // Between the last poll and this page a line may have been written.
  const newest = whole.items.findLastIndex(({ id }: { id: string }) => seen.has(id))
  t.same(ids(whole).slice(0, newest).filter((id) => !seen.has(id)), [], 'no gap')
})

t.test('the lines of a function, and none of one that never ran', async (t) => {
  const answer = await json('/infrastructure/serverless/functions/echo/logs?since=3h')
  t.match(answer.items[0], { group: '/aws/lambda/echo', container: null, task_id: null, message: /^START RequestId/ })
  const never = await json('/infrastructure/serverless/functions/paused-import/logs')
  t.match(never, {
    items: [], next_cursor: null, complete: true, sources: [{ status: 'missing' }], notes: [/nothing has been logged/]
  })
})

t.test('each failure has its own error', async (t) => {
  const cases: [string, number, string][] = [
    [`${web}?since=8d`, 422, 'range_invalid'],
    [`${web}?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z`, 422, 'range_invalid'],
    [`${web}?since=yesterday`, 400, 'invalid_request'],
    [`${web}?limit=1001`, 400, 'invalid_request'],
    [`${web}?cursor=abc`, 400, 'invalid_cursor'],
    [`${web}?container=nope`, 422, 'container_unknown'],
    ['/infrastructure/containers/services/nothing/logs', 404, 'service_not_found'],
    ['/infrastructure/serverless/functions/nothing/logs', 404, 'function_not_found']
  ]
  for (const [url, status, code] of cases) {
    const problem = await json(url)
    t.same([problem.status, problem.code], [status, code], url)
  }
  const { next_cursor: cursor } = await json(`${web}?limit=1`)
  const foreign = await json(`${web}?limit=1&filter=x&cursor=${encodeURIComponent(cursor)}`)
  t.equal(foreign.code, 'invalid_cursor', 'a cursor of another filter')
  await sandbox.deny('logs:FilterLogEvents')
  t.match(await json(web), { status: 403, code: 'aws_permission_denied' })
  t.match(await json('/infrastructure/containers/services/api/logs'), { status: 403, code: 'aws_permission_denied' })
})

t.test('a group of a class that cannot be read is unsupported', async (t) => {
  const account = await app.db.selectFrom('cloud_account').selectAll().executeTakeFirstOrThrow()
  const { functionOwner } = await import('../../../routes/infrastructure/lib/logs/find-logs.js')
  const { readOlder } = await import('../../../routes/infrastructure/lib/logs/page-logs.js')
  const origin = { region: 'eu-west-1', group: '/archive/cdn', prefix: null, container: null }
  const owner = functionOwner({ name: 'cdn' }, origin.group)
  const page = await readOlder(app, { account, origins: [origin], unreadable: [], owner }, { limit: 10 })
  t.match(page.sources, [{ status: 'unsupported' }])
})

t.test('following sends lines as they come and resumes with no gap and no repeat', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const [address] = app.addresses()
  const port = typeof address === 'object' ? address.port : 0
  const follow = async (lines: number, lastId?: string) => {
    const leave = new AbortController()
    const answer = await fetch(`http://127.0.0.1:${port}${web}?limit=5`, {
      signal: leave.signal,
      headers: { ...asAdmin, accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) }
    })
    t.match(answer.headers.get('content-type'), /text\/event-stream/)
    let text = ''
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part).toString()
      if (text.split('event: log').length - 1 >= lines && text.endsWith('\n\n')) break
      await sandbox.advance(10_000)
    }
    leave.abort()
    const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line ?? ''))
    return { data, last: [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] }
  }
  const first = await follow(6)
  t.ok(first.data.every(({ type }) => type === 'log'))
  const second = await follow(3, first.last)
  const all = [...first.data, ...second.data].map(({ id }) => id)
  t.equal(new Set(all).size, all.length)
  t.ok(second.data.length > 0)
})
