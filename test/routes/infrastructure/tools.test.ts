import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { assistantOf, planOf, shownOf } from '../../plan.js'

const app = await workspace(t)
const read = app.tools.reader(assistantOf(app))
const describe = (name: string, args: Record<string, unknown>) => shownOf(app, name, args)

t.test('what reads runs at once, what writes asks, what carries secrets is no tool', (t) => {
  const effects = (names: string[]) => names.map((name) => app.tools.find(name)?.effect)
  t.same(effects(['listCloudAccounts', 'getCloudAccount', 'getCosts', 'listClusters', 'listClusterServices',
    'getService', 'getServiceLogs', 'listFunctions', 'getFunction', 'getFunctionLogs', 'listServiceDeployments',
    'getServiceDeployment']), Array(12).fill('read'))
  t.same(effects(['scaleService', 'deployService', 'invokeFunction', 'testCloudAccount']), Array(4).fill('write'))
  t.same(effects(['createCloudAccount', 'updateCloudAccount', 'deleteCloudAccount']), Array(3).fill(undefined))
  t.end()
})

t.test('scale', async (t) => {
  t.same(await describe('scaleService', { service: 'web', desired_count: 4 }), {
    summary: 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 4',
    preview: [{ label: 'Desired count', before: '2', after: '4' }]
  })
  const adjusted = await describe('scaleService', { service: 'api', desired_count: 20, autoscaling: 'adjust' })
  t.same(adjusted.preview[1], { label: 'Autoscaling', before: '1 to 10', after: '1 to 20' })
  t.equal((await planOf(app, 'scaleService', { service: 'api', desired_count: 20, autoscaling: 'adjust' })).undo,
    'Scale it back to 3, and set the range of autoscaling back to 1 to 10 in AWS')
  const suspended = await describe('scaleService', { service: 'api', desired_count: 20, autoscaling: 'suspend' })
  t.same(suspended.preview[1], { label: 'Autoscaling', before: '1 to 10', after: '1 to 10, suspended' })
  const risk = async (args: object) => (await planOf(app, 'scaleService', { service: 'web', ...args })).risk
  t.same([await risk({ desired_count: 4 }), await risk({ desired_count: 0 })], ['medium', 'high'])
  await t.rejects(describe('scaleService', { service: 'nothing', desired_count: 4 }),
    { code: 'service_not_found', statusCode: 404 })
  await t.rejects(describe('scaleService', { service: 'api', desired_count: 20 }),
    { code: 'autoscaling_conflict', statusCode: 409 })
})

t.test('deploy', async (t) => {
  t.same(await describe('deployService', { service: 'prod/web', image: 'registry/web:3' }), {
    summary: 'Deploy registry/web:3 to service web in cluster prod (eu-west-1, account Sandbox)',
    preview: [{
      label: 'Image of web',
      before: '123456789012.dkr.ecr.eu-west-1.amazonaws.com/web:2.4.0',
      after: 'registry/web:3'
    }, {
      label: 'Note',
      before: null,
      after: 'Whether registry/web:3 exists was not checked: only registries of ECR can be asked'
    }]
  })
  const back = await describe('deployService', { service: 'web', rollback_to: 'previous' })
  t.match(back, {
    summary: 'Roll back service web in cluster prod (eu-west-1, account Sandbox)',
    preview: [
      { label: 'Task definition', before: /web:3$/, after: /web:2$/ },
      { label: 'Image of web', before: /web:2\.4\.0$/, after: /web:2\.3\.1$/ }
    ]
  })
  const { arguments: pinned } = await planOf(app, 'deployService', { service: 'web', rollback_to: 'previous' })
  t.match(pinned, { service: /~prod~web$/, rollback_to: /task-definition\/web:2$/, expected_task_definition: /web:3$/ })
  const web = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/web:2.4.0'
  const digest = /sha256:[0-9a-f]{64}/.exec(JSON.stringify((await app.inject({
    url: '/infrastructure/containers/services/web', headers: asAdmin
  })).json().images))?.[0]
  const anew = await describe('deployService', { service: 'web', force_new_deployment: true })
  t.same(anew.preview, [
    { label: 'Tasks', before: '2 running', after: 'all replaced' },
    { label: 'Image of web', before: `${web} (${digest})`, after: web },
    { label: 'Note', before: null, after: 'The same revision: what runs changes only where a tag has moved' }
  ])
  await t.rejects(describe('deployService', { service: 'api', image: 'a:1' }), { code: 'container_unknown' })
  await t.rejects(describe('deployService', { service: 'checkout-staging', image: 'a:1' }), { code: 'not_deployable' })
})

t.test('invoke and test', async (t) => {
  t.same(await describe('invokeFunction', { name: 'echo', payload: { a: 1 } }), {
    summary: 'Invoke function echo (eu-west-1, account Sandbox)',
    preview: [
      { label: 'Function', before: null, after: 'echo, version $LATEST' },
      { label: 'State', before: null, after: 'Active' },
      { label: 'Payload', before: null, after: '{"a":1}' }
    ]
  })
  await t.rejects(describe('invokeFunction', { name: 'nothing' }), { code: 'function_not_found' })
  const [{ id }] = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items
  t.match(await describe('testCloudAccount', { account_id: id }),
    { summary: 'Test the permissions of cloud account Sandbox', preview: [{ label: 'Status', before: 'unverified' }] })
})

t.test('what only checks needs no approval', async (t) => {
  const effect = async (name: string, args: object) => (await planOf(app, name, { ...args })).effect
  t.equal(await effect('deployService', { service: 'web', image: 'registry/web:3', dry_run: true }), 'read')
  t.equal(await effect('invokeFunction', { name: 'echo', mode: 'dry_run' }), 'read')
  t.equal(await effect('invokeFunction', { name: 'echo' }), 'write')
  const [{ id }] = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items
  t.equal(await effect('testCloudAccount', { account_id: id }), 'read')
})

t.test('after a crash the service has the requested count, or the outcome is unknown', async (t) => {
  const { options } = app.tools.find('scaleService') ?? {}
  t.equal(await options?.reconcile?.({ service: 'web', desired_count: 2 }, read), 'done')
  t.equal(await options?.reconcile?.({ service: 'web', desired_count: 7 }, read), 'unclear')
})
