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
