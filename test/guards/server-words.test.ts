import t from 'tap'
import ts from 'typescript'
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

/** The texts in a node, as they are around what is filled in. */
const textsIn = (node: ts.Node): string[] => {
  // What is compared is not said.
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return []
  const own = ts.isStringLiteral(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isNoSubstitutionTemplateLiteral(node)
    ? [node.text]
    : []
  const inner: string[] = []
  node.forEachChild((child) => { inner.push(...textsIn(child)) })
  return [...own, ...inner]
}

/** The texts that objects have under these names, in files that plan writes. */
const textsUnder = (names: readonly string[], isIn: (object: ts.ObjectLiteralExpression) => boolean) => {
  const files = ['routes', 'lib/tools'].flatMap(listSources).filter((file) => /\/lib\/|^lib/.test(file))
  return files.flatMap((file) => {
    const found: string[] = []
    const walk = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) && names.includes(node.name.getText()) && isIn(node.parent)) {
        found.push(...textsIn(node.initializer))
      }
      node.forEachChild(walk)
    }
    walk(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))
    return found
  })
}

const has = (...names: string[]) => ({ properties }: ts.ObjectLiteralExpression): boolean =>
  names.every((name) => properties.some((property) => property.name?.getText() === name))

/** Names of fields are words of the arguments; a text of a few letters stands between two values. */
const isTranslated = (text: string): boolean => /\p{L}{3}/u.test(text)
const isKnown = (text: string, ...kinds: string[]): boolean =>
  kinds.some((kind) => Object.keys(wordsOf(kind)).some((key) => key.includes(text.trim())))

t.test('every row of a preview, every change and every way back has German words', async (t) => {
  const rows = textsUnder(['label'], has('label', 'before', 'after')).filter(isTranslated)
  t.ok(rows.length > 40)
  const isField = (text: string) => /^[a-z]/.test(text)
  t.same([...new Set(rows.filter((text) => !isField(text) && !isKnown(text, 'rows')))], [])
  const changes = textsUnder(['summary', 'undo'], has('target', 'summary')).filter(isTranslated)
  t.ok(changes.length > 50)
  t.same([...new Set(changes.filter((text) => !isKnown(text, 'plans')))], [])
})

t.test('every finding of a text and every reason of a service has German words', async (t) => {
  const sentences = (file: string): string[] => textsIn(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest))
    .filter((text) => /^[A-Z]\p{Ll}+ \p{Ll}|^ \p{Ll}+ \p{Ll}+.*[; ]/u.test(text))
  const findings = listSources('routes/content/lib/lint')
    .filter((file) => /\/(voice|plain|structure|facts|terms|spelling|misspelt|language)\.ts$/.test(file))
    .flatMap(sentences)
  t.ok(findings.length > 30)
  t.same([...new Set(findings.filter((text) => !isKnown(text, 'findings')))], [])
  const services = ['infrastructure/lib/judge-health', 'infrastructure/lib/judge-rollout',
    'infrastructure/lib/read-service', 'infrastructure/lib/cancel-deployment', 'cloud/lib/probe-reads',
    'cloud/lib/probe-writes', 'cloud/lib/probe'].map((name) => `routes/${name}.ts`).flatMap(sentences)
  t.ok(services.length > 20)
  t.same(services.filter((text) => !isKnown(text, 'services')), [])
})

const sourceOf = (file: string): ts.SourceFile => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)

/** What stands in a text before, between and after its slots, as far as it has words. */
const piecesOf = (node: ts.Node): string[] => textsIn(node).map((text) => text.trim())
  .filter((text) => /\p{Ll}{2,}[ ,:]+\p{Ll}{2,}/u.test(text) && !text.startsWith('node:'))

t.test('every question of a spec, and everything that its checks find, has German words', async (t) => {
  const files = ['template-questions', 'statements', 'taxonomy'].map((name) => `routes/pse/lib/engine/${name}.ts`)
  const checks = listSources('routes/pse/lib/checks').filter((file) => /-rules\.ts$|rule-functions|check-document/.test(file))
  const found = new Set([...files, ...checks].flatMap((file) => piecesOf(sourceOf(file))))
  // A part of the inputs without a heading is called so in a list.
  found.delete('no heading')
  t.ok(found.size > 80)
  t.same([...found].filter((text) => !isKnown(text, 'specs', 'rules', 'reasons')), [])
})

/** The arguments of calls of these functions, or of what is made by `new`. */
const argumentsOf = (file: string, names: ReadonlySet<string>): ts.Node[] => {
  const found: ts.Node[] = []
  const walk = (node: ts.Node): void => {
    const isCall = ts.isCallExpression(node) || ts.isNewExpression(node)
    if (isCall && names.has(node.expression.getText())) found.push(...node.arguments ?? [])
    node.forEachChild(walk)
  }
  walk(sourceOf(file))
  return found
}

const isSentence = (text: string): boolean => /^\p{Lu}\p{Ll}* \p{Ll}/u.test(text)

/** What is said of a sentence that a spec does not take: the reasons of those that it takes are in `demand`. */
const whyNotTaken = (file: string): string[] => {
  const own = argumentsOf(file, new Set(['aside', 'verdict']))
  const whole = /\/(?:coverage|not-taken|transcript)\.ts$/.test(file) ? [sourceOf(file)] : []
  return [...own, ...whole].flatMap(textsIn).map((text) => text.trim()).filter(isSentence)
}

t.test('every reason for which a spec does not take a sentence has German words', async (t) => {
  const reasons = ['classify', 'engine'].flatMap((name) => listSources(`routes/pse/lib/${name}`)).flatMap(whyNotTaken)
  t.ok(new Set(reasons).size > 70)
  t.same([...new Set(reasons)].filter((text) => !isKnown(text, 'reasons')), [])
})

t.test('every standard that comes with Steward has German words', async (t) => {
  const contents = builtins.flatMap(({ versions }) => versions)
  const texts = contents.flatMap(({ title, description, rules }) =>
    [title, description, ...rules.flatMap((rule) => [rule.title, rule.statement])])
  t.ok(texts.length > 15)
  t.same(texts.filter((text) => !Object.hasOwn(wordsOf('standards'), text)), [])
})

t.test('every line that Steward itself writes into the log of a build has German words', async (t) => {
  const writers = new Set(['log', 'context.log', 'state.log', 'StepFailed', 'Cancelled', 'TimedOut'])
  const lines = listSources('routes/deployments/lib').flatMap((file) => argumentsOf(file, writers)).flatMap(textsIn)
    .map((text) => text.trim()).filter((text) => /\p{Ll}{2,} \p{Ll}{2,}/u.test(text))
  t.ok(lines.length > 20)
  t.same(lines.filter((text) => !isKnown(text, 'logs')), [])
})

t.test('every detail of an error has German words', async (t) => {
  const files = ['db', 'lib', 'plugins', 'routes', 'schemas'].flatMap(listSources)
  const definition = /(\w+)(?:: ErrorDefinition)? =\s+defineError\(/g
  const errors = new Set(files.flatMap((file) => [...read(file).matchAll(definition)].map(([, name = '']) => name)))
  const details = files.flatMap((file) => argumentsOf(file, errors))
    .filter((node) => !ts.isObjectLiteralExpression(node)).flatMap(textsIn).map((text) => text.trim()).filter((text) => /\p{Ll}{2,} \p{Ll}{2,}/u.test(text))
  t.ok(new Set(details).size > 150)
  t.same([...new Set(details)].filter((text) => !isKnown(text, 'teamDetails', 'deliveryDetails')), [])
})

/** The messages of what is wrong with a field: objects with its pointer and the code of the fault. */
const faultsIn = (file: string): string[] => {
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'message' && has('pointer', 'code')(node.parent)) {
      found.push(...textsIn(node.initializer))
    }
    node.forEachChild(walk)
  }
  walk(sourceOf(file))
  return found.filter((text) => /\p{Ll}{3}/u.test(text) && !/^[a-z]+(_[a-z]+)*$/.test(text))
}

t.test('everything that is wrong with a field has German words', async (t) => {
  const faults = ['lib', 'plugins', 'routes', 'schemas'].flatMap(listSources).flatMap(faultsIn)
  t.ok(faults.length > 12)
  t.same([...new Set(faults.filter((text) => !isKnown(text, 'faults')))], [])
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
