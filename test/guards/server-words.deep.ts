import t from '../tap.js'
import { parse } from 'yaml'
import { builtins } from '../../routes/pse/lib/standards/builtin.js'
import { asAdmin, buildApp } from '../app.js'
import { loadCatalogue, loadServerWords } from './catalogue.js'
import { listSources, read } from './sources.js'

const [english, german] = await Promise.all([loadCatalogue('en'), loadServerWords('de')])
const wordsOf = (kind: string): Record<string, string> => german[kind] ?? {}
const slotsOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** What only the page's own client says, and the question about a budget, which no tool asks. */
const ofThePage = ['aborted', 'unexpected_answer', 'unreachable']
const noTool = ['raise_budget']

t.test('a translation has no slot that the text of the server does not fill, and is not empty', async (t) => {
  const entries = Object.values(german).flatMap((words) => Object.entries(words))
  t.ok(entries.length > 700)
  t.same(entries.filter(([text, other]) => other.trim() === '' || slotsOf(other).some((slot) =>
    !slotsOf(text).includes(slot))), [])
})

t.test('every error code has a German text, and no text is of a code that is gone', async (t) => {
  const definition = /defineError\(\s*'([a-z0-9_]+)'/g
  const codes = ['lib', 'plugins', 'routes', 'schemas'].flatMap(listSources)
    .flatMap((file) => [...read(file).matchAll(definition)].map(([, code = '']) => code))
  t.ok(codes.length > 300)
  t.same(Object.keys({ ...wordsOf('teamErrors'), ...wordsOf('deliveryErrors') }).sort(),
    [...new Set([...codes, ...ofThePage])].sort())
})

t.test('every tool of the assistant has a German name, and no name is of a tool that is gone', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const me = (await app.inject({ url: '/account/me', headers: asAdmin })).json()
  const tools = app.tools.list({
    workspace_id: app.home.workspace_id,
    user_id: String(me.id),
    name: 'Admin',
    role: 'admin',
    bindings: null,
    scopes: null,
    via: 'token',
    via_id: null
  }).map(({ name }) => name)
  t.same(Object.keys(wordsOf('operations')).sort(), [...tools, ...noTool].sort())
})

/** Members of the API whose words the page shows as states. */
const members = new Set(['status', 'state', 'health', 'risk', 'review_state', 'verdict', 'check_verdict', 'severity',
  'via', 'origin', 'role', 'progress', 'trigger', 'trust', 'change'])

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every word that a member with one of the names may have. */
const wordsIn = (node: unknown, name: string): string[] => {
  if (Array.isArray(node)) return node.flatMap((one) => wordsIn(one, name))
  if (!isNode(node)) return []
  const own = members.has(name) ? [node.enum, node.const].flat().filter((word) => typeof word === 'string') : []
  return [...own, ...Object.entries(node).flatMap(([key, value]) => key === 'properties' && isNode(value)
    ? Object.entries(value).flatMap(([member, schema]) => wordsIn(schema, member))
    : key === 'enum' ? [] : wordsIn(value, name))]
}

t.test('every state of the API has a text, in all languages', async (t) => {
  const { components } = parse(read('openapi.yaml')) as { components: { schemas: Node } } // The guard of openapi.yaml.
  const words = [...new Set(Object.values(components.schemas).flatMap((schema) => wordsIn(schema, '')))]
  t.ok(words.length > 100)
  t.same(words.filter((word) => !(`state.${word.toLowerCase()}` in english)), [])
})

t.test('every standard that comes with Steward has German words', async (t) => {
  const contents = builtins.flatMap(({ versions }) => versions)
  const texts = contents.flatMap(({ title, description, rules }) =>
    [title, description, ...rules.flatMap((rule) => [rule.title, rule.statement])])
  t.ok(texts.length > 15)
  t.same(texts.filter((text) => !Object.hasOwn(wordsOf('standards'), text)), [])
})

t.test('what a schema refuses has German words', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const refuse = async (payload: object) => {
    const answer = await app.inject({ method: 'POST', url: '/pse/sessions', headers: asAdmin, payload })
    return (answer.json().errors as { message: string }[] | undefined ?? []).map(({ message }) => message)
  }
  const long = 'x'.repeat(5_000)
  const messages = (await Promise.all([
    {}, { title: '' }, { title: long }, { title: 7 }, { title: 'A', profile: 'none' }, { title: 'A', more: 1 },
    { title: 'A', inputs: 'none' }, { title: 'A', inputs: [] }, { title: 'A', max_requirements: -1 },
    { title: 'A', max_requirements: 1e9 }, { title: 'A', max_requirements: 1.5 }, { title: 'A', project_id: 'none' }
  ].map(refuse))).flat()
  const forms = Object.keys(wordsOf('faults')).map((text) => new RegExp(`^${text.split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]+')}$`))
  t.ok(new Set(messages).size > 5)
  t.same(messages.filter((message) => !forms.some((form) => form.test(message))), [])
})
