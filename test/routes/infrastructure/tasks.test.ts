import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'

interface Task { id: string, status: string, started_at: string | null, stopped_at: string | null, containers: object[] }

const app = await workspace(t)
const get = (service: string, query = '') =>
  app.inject({ url: `/infrastructure/containers/services/${encodeURIComponent(service)}/tasks${query}`, headers: asAdmin })
const list = async (service: string, query = ''): Promise<Task[]> => (await get(service, query)).json().items

t.test('the tasks that run, whole', async (t) => {
  const answer = await get('prod/web')
  t.equal(answer.statusCode, 200, answer.body)
  const { items, ...rest } = answer.json<{ items: Task[] }>()
  t.same(rest, { next_cursor: null, partial: false, errors: [] })
  t.equal(items.length, 2)
  for (const { id, ...task } of items) {
    t.match(id, /^[0-9a-f]{32}$/)
    t.match(task, {
      arn: `arn:aws:ecs:eu-west-1:123456789012:task/prod/${id}`,
      status: 'running',
      desired_status: 'running',
      health: 'healthy',
      task_definition: 'web:3',
      deployment_id: /^ecs-svc\/\d+$/,
      availability_zone: /^eu-west-1[abc]$/,
      private_address: /^10\./,
      stopped_at: null,
      stop_code: null,
      stopped_reason: null,
      containers: [{ name: 'web', image: /web:2\.4\.0$/, status: 'running', exit_code: null, reason: null }]
    })
    t.ok(Date.parse(task.started_at ?? '') < Date.now())
  }
})

t.test('the tasks that stopped say with what code, and those alone are asked for', async (t) => {
  const stopped = await list('prod/worker', '?state=stopped&limit=100')
  t.ok(stopped.length >= 10)
  for (const task of stopped) {
    t.match(task, {
      status: 'stopped',
      desired_status: 'stopped',
      stop_code: 'EssentialContainerExited',
      stopped_reason: 'Essential container in task exited',
      containers: [{ name: 'worker', exit_code: 1 }]
    })
    t.ok(Date.parse(task.stopped_at ?? '') <= Date.now())
  }
  t.same((await list('prod/web', '?state=stopped')), [])
  t.same((await list('prod/web', '?state=running')).length, 2)
})

t.test('pages, and a service that is not there', async (t) => {
  const first = (await get('prod/api', '?limit=2')).json()
  const second = (await get('prod/api', `?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)).json()
  t.same([first.items.length, second.items.length, second.next_cursor], [2, 1, null])
  t.match((await get('nothing')).json(), { status: 404, code: 'service_not_found' })
})

t.test('a task is stopped once, and the service starts another', async (t) => {
  const running = async () => (await list('prod/search', '?state=running')).map(({ id }) => id)
  const [id = ''] = await running()
  const path = `/infrastructure/containers/services/prod%2Fsearch/tasks/${id}`
  const stop = (payload?: object) => app.inject({ method: 'POST', url: `${path}/stop`, headers: asAdmin, ...(payload && { payload }) })
  const { status, desired_status, task_definition, deployment_id } = (await app.inject({ url: path, headers: asAdmin })).json()
  const expected = { status, desired_status, task_definition, deployment_id }
  t.match((await stop({ expected: { ...expected, task_definition: 'search:99' } })).json(), { status: 409, code: 'state_changed' })
  t.same(await running(), [id], 'nothing was done')
  const stopped = (await stop({ reason: 'It hangs', expected })).json()
  t.match(stopped, {
    service_id: /~eu-west-1~prod~search$/, task: { id, desired_status: 'stopped', stop_code: 'UserInitiated', stopped_reason: 'It hangs' }
  })
  t.match((await stop()).json(), { status: 409, code: 'task_not_running' })
  const [fresh = '', ...more] = await running()
  t.same(more, [])
  t.not(fresh, id)
  const elsewhere = `/infrastructure/containers/services/prod%2Fweb/tasks/${fresh}`
  t.match((await app.inject({ url: elsewhere, headers: asAdmin })).json(), { status: 404, code: 'task_not_found' }, 'of another service')
  t.match((await app.inject({ method: 'POST', url: `${elsewhere}/stop`, headers: asAdmin })).json(), { code: 'task_not_found' })
})
