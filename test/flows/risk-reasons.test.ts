import t from '../tap.js'
import { asAdmin } from '../app.js'
import { planEdit, openChat } from '../chat.js'
import { marked, read, serviceId } from './asking.js'

const { app } = await openChat(t)
const web = await serviceId(app, 'web')
const { id: project } = (await app.inject({
  method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name: 'Shop' }
})).json()
const propose = async (name: string, args: object) => (await app.inject({
  method: 'POST', url: '/api/v1/agent/tool-calls', headers: asAdmin, payload: { name, arguments: args }
})).json()
const ofDetails = (id: string) => read(app, `/api/v1/agent/confirmations/${id}`)
const weighed = ({ confirmation: { risk, risk_reasons } }: { confirmation: Record<string, unknown> }) =>
  [risk, risk_reasons]

t.test('each plan says why its risk is what it is', async (t) => {
  const cases: [name: string, args: object, expected: unknown][] = [
    ['scaleService', { service: web, desired_count: 5 }, ['medium', ['changes_capacity']]],
    ['scaleService', { service: web, desired_count: 0 }, ['high', ['stops_service']]],
    ['deployService', { service: web, image: 'example.com/shop/web:8.8.8' }, ['high', ['replaces_running']]],
    ['createProject', { name: 'Harbour' }, ['low', ['only_adds']]],
    ['updateProject', { project_id: project, name: 'Store' }, ['low', ['own_records']]],
    ['archiveProject', { project_id: project }, ['medium', ['archives']]],
    ['createSpecSession', { project_id: project, title: 'Parcel lockers' }, ['low', ['only_adds']]]
  ]
  for (const [name, args, expected] of cases) t.same(weighed(await propose(name, args)), expected, name)
})

t.test('the inbox, the plan of an edit and the record give the reasons, too', async (t) => {
  const { tool_call_id: call, confirmation: { id } } = await propose('scaleService', { service: web, desired_count: 6 })
  t.match(await ofDetails(id), { risk: 'medium', risk_reasons: ['changes_capacity'] })
  const edited = (await planEdit(app, id, { service: web, desired_count: 0 })).json()
  t.same(marked(edited, { web }), {
    arguments: { service: '<web>', desired_count: 0 },
    summary: 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 0',
    preview: [{ label: 'Desired count', before: '2', after: '0' }],
    risk: 'high',
    risk_reasons: ['stops_service'],
    target: {
      kind: 'ecs_service',
      id: '<web>',
      within: { cloud_account: '<id>', region: 'eu-west-1', cluster: '<id>~eu-west-1~prod' },
      names: ['arn:aws:ecs:eu-west-1:123456789012:service/prod/web', 'web', 'prod/web']
    },
    facts: {
      desired_count: 2,
      status: 'ACTIVE',
      scheduling: 'REPLICA',
      task_definition: 'arn:aws:ecs:eu-west-1:123456789012:task-definition/web:3',
      autoscaling: null
    },
    written_by: { id: '<id>', name: 'Administrator' },
    input_digest: '<digest>'
  })
  const { entries } = await read(app, `/account/audit/writes/${call}`)
  const recorded = entries.find(({ kind }: { kind: string }) => kind === 'asked')
  t.match(recorded?.body, { plan: { risk: 'medium', risk_reasons: ['changes_capacity'] } })
})

t.test('a question that the release before asked is read without reasons, and edited with them', async (t) => {
  const { confirmation: { id } } = await propose('scaleService', { service: web, desired_count: 7 })
  await app.db.updateTable('agent_confirmation').set({ risk_reasons: '[]' }).where('id', '=', id).execute()
  t.match(await ofDetails(id), { risk: 'medium', risk_reasons: [] })
  const plan = (await planEdit(app, id, { service: web, desired_count: 8 })).json()
  t.match(plan, { risk_reasons: ['changes_capacity'] })
  const { risk_reasons: _, ...before } = plan
  // An edit that was approved there is kept as JSON that has no reasons.
  await app.db.updateTable('agent_confirmation').set({ proposed: JSON.stringify(before) }).where('id', '=', id)
    .execute()
  const { proposed } = await ofDetails(id)
  t.same(proposed, before)
})
