import t from '../tap.js'
import { permissions } from '../../schemas/cloud/accounts.js'
import { asAdmin, buildApp } from '../app.js'
import { listSources, read } from './sources.js'

const granted: Record<string, readonly string[]> = permissions
const all = new Set(Object.values(granted).flat())
const sorted = (actions: Iterable<string>) => [...new Set(actions)].sort()

/** RegisterTaskDefinition with tags or a role needs these beside its own; no operation has the second name. */
const implied: Record<string, string[]> = { 'ecs:RegisterTaskDefinition': ['ecs:TagResource', 'iam:PassRole'] }
/** GetCallerIdentity needs no permission; setup's trust policy grants AssumeRole. */
const withoutPolicy = new Set(['sts:GetCallerIdentity', 'sts:AssumeRole'])

const prefixes: Record<string, string> = {
  'client-ecs': 'ecs',
  'client-lambda': 'lambda',
  'client-cloudwatch': 'cloudwatch',
  'client-cloudwatch-logs': 'logs',
  'client-codebuild': 'codebuild',
  'client-cost-explorer': 'ce',
  'client-application-auto-scaling': 'application-autoscaling',
  'client-sts': 'sts'
}
const clients: [string, object][] = await Promise.all(Object.entries(prefixes).map(async ([name, prefix]) =>
  [prefix, await import(`@aws-sdk/${name}`) as object] as [string, object]))

const isOperation = (name: string, exported: object) => `${name}Command` in exported
const actionOf = (prefix: string, operation: string) =>
  `${prefix}:${prefix === 'lambda' && operation === 'Invoke' ? 'InvokeFunction' : operation}`

/** @returns the actions of every SDK operation that the file sends: `.listClusters(`, `new ListClustersCommand(` */
const actionsIn = (file: string): string[] => {
  const text = read(file)
  const methods = [...text.matchAll(/\.([a-z]\w+)\(/g)].map(([, name = '']) => name[0]?.toUpperCase() + name.slice(1))
  // ECR is asked without a client of the SDK.
  const asked = [...text.matchAll(/askRegistry\([^)]*?'(\w+)'/g)].map(([, name = '']) => `ecr:${name}`)
  const commands = [...text.matchAll(/new (\w+)Command\(/g)].map(([, name = '']) => name)
  return [...asked, ...[...methods, ...commands].flatMap((name) =>
    clients.filter(([, exported]) => isOperation(name, exported)).map(([prefix]) => actionOf(prefix, name)))]
    // Several services have a TagResource and the like: the ones of services that Steward does not use so are noise.
    .filter((action) => !/:(Tag|Untag)Resource$/.test(action) || action === 'ecs:TagResource')
}

const sources = ['lib/aws', 'routes/cloud', 'routes/infrastructure', 'routes/deployments'].flatMap(listSources)
const isProbe = (file: string) => /routes\/cloud\/lib\/probe-/.test(file)

t.test('the policies grant what the code calls, and nothing else', async (t) => {
  const files = [...sources, 'plugins/aws.ts'].filter((file) => !isProbe(file))
  const called = sorted(files.flatMap(actionsIn).filter((action) => !withoutPolicy.has(action)))
  t.ok(called.length > 15, 'the walk finds them')
  t.same(sorted(called.flatMap((action) => [action, ...implied[action] ?? []])), sorted(all))
})

t.test('setup prints, the account test tries and the docs list the same actions', async (t) => {
  const app = await buildApp(t)
  const call = async (url: string, payload?: object) => (await app.inject({
    method: payload || url.endsWith('/test') ? 'POST' : 'GET', url, headers: asAdmin, ...(payload && { payload })
  })).json()
  const { setup } = await call('/cloud/accounts',
    { name: 'Role', regions: ['eu-west-1'], auth: { type: 'assume_role' } })
  for (const [name, actions] of Object.entries(granted)) {
    const printed = setup.policies[name].Statement.flatMap(({ Action }: { Action: string[] }) => Action)
    t.same(printed, actions, `setup, ${name}`)
    t.same(documented(name), sorted(actions), `docs, ${name}`)
  }
  const sandbox = (await call('/cloud/accounts')).items.find(({ sandbox: is }: { sandbox: boolean }) => is)
  const { checks } = await call(`/cloud/accounts/${sandbox.id}/test`)
  const tried = checks.map(({ action }: { action: string }) => action)
    .filter((action: string) => !withoutPolicy.has(action))
  t.same(sorted(tried), sorted(all))
})

/** @returns the actions of a row of the table; one without a service has that of the one before it */
const documented = (policy: string): string[] => {
  const row = read('docs/cloud-accounts.md').split('\n').find((line) => line.startsWith(`| \`${policy}\` |`)) ?? ''
  let service = ''
  return sorted([...(row.split('|')[3] ?? '').matchAll(/`([\w-]+:)?(\w+)`/g)].map(([, prefix, name]) => {
    service = prefix ?? service
    return `${service}${name}`
  }))
}

t.test('a provider\'s refusal is never our 401, and its 403 are the ones that docs/api.md names', async (t) => {
  const statuses = (folder: string) => [...listSources(folder).map(read).join('\n')
    .matchAll(/defineError\(\s*'(\w+)',[^)]*?,\s*(\d{3})\)/g)].map(([, code, status]) => `${status} ${code}`)
  const providers = ['schemas/cloud', 'schemas/codehost', 'routes/cloud', 'routes/infrastructure',
    'routes/deployments'].flatMap(statuses)
  t.ok(providers.length > 30, 'the walk finds them')
  const credentials = providers.filter((one) => one.startsWith('401'))
  t.same(credentials, [])
  const documentation = read('docs/api.md')
  const named = [...documentation.matchAll(/403 with `(\w+)` or `(\w+)`/g)].flatMap(([, a, b]) => [a, b])
  // These are ours: who of a code host may sign in here, and what an admin has made read-only.
  t.same(providers.filter((one) => one.startsWith('403')).map((one) => one.slice(4)).sort(),
    [...named, 'sign_in_not_allowed', 'cloud_account_read_only'].sort())
})
