import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { formsOf, loadCatalogue } from './catalogue.js'
import { listPageSources, read } from './sources.js'

/** Whose texts are all in the catalogue. What is not here still has them in its components. */
const converted = [
  'web/shell/', 'web/approvals/', 'web/parts/', 'web/passkeys/', 'web/api/', 'web/pages/inbox/', 'web/pages/settings/',
  'web/pages/triggers/', 'web/pages/trigger/', 'web/pages/reports/', 'web/pages/report/', 'web/pages/connect/',
  'web/pages/projects/', 'web/pages/shared/', 'web/pages/question/', 'web/pages/plan/',
  'web/pages/chat/', 'web/results/', 'web/pages/accounts/', 'web/pages/costs/', 'web/pages/clusters/',
  'web/pages/service/', 'web/pages/functions/', 'web/pages/function/', 'web/pages/apps/', 'web/pages/app/',
  'web/pages/build/', 'web/pages/repositories/', 'web/pages/repository/',
  'web/pages/specs/', 'web/pages/spec/', 'web/pages/standards/', 'web/pages/standard/'
]

const sources = listPageSources().filter((file) => !file.startsWith('web/texts/'))
const [en, de] = await Promise.all([loadCatalogue('en'), loadCatalogue('de')])
const slotsOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()

t.test('English and German have the same keys, none of them empty, with the same slots', async (t) => {
  t.ok(Object.keys(en).length > 200)
  t.same(Object.keys(de).sort(), Object.keys(en).sort())
  for (const [key, text] of Object.entries(en)) {
    const other = de[key] ?? ''
    t.same(new Set(formsOf(other).map((form) => slotsOf(form).join())),
      new Set(formsOf(text).map((form) => slotsOf(form).join())), key)
    t.notOk([...formsOf(text), ...formsOf(other)].some((form) => form.trim() === ''), key)
  }
})

t.test('a whole sentence of German is not the English one', async (t) => {
  const same = Object.entries(en).filter(([key, text]) =>
    formsOf(text).some((form) => form.split(' ').length > 3) && JSON.stringify(text) === JSON.stringify(de[key]))
  t.same(same, [])
})

t.test('each key is said somewhere', async (t) => {
  const code = sources.map((file) => read(file)).join('\n')
  // A state of the API is said by its name.
  const isState = (key: string) => key.startsWith('state.')
  t.ok(code.includes('`state.$'))
  t.same(Object.keys(en).filter((key) => !isState(key) && !code.includes(`'${key}'`)), [])
})

/** Attributes whose value a person reads. */
const readAttributes = new Set(['title', 'label', 'aria-label', 'placeholder', 'alt', 'verb', 'hint', 'one'])
const isWords = (text: string): boolean => /\p{L}{2}/u.test(text)
/** A capital and a second word, or the end of a sentence: names of keys, classes and states have neither. */
const isSentence = (text: string): boolean => /^\p{Lu}.*(\p{Ll} \p{Ll}|\p{Ll}[.?!…]$)/u.test(text)

const strayOf = (node: ts.Node): string | undefined => {
  if (ts.isJsxText(node) && isWords(node.text)) return node.text.trim()
  if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer)) {
    return readAttributes.has(node.name.getText()) && isWords(node.initializer.text) ? node.initializer.text : undefined
  }
  const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node)
  return isText && isSentence(node.text) ? node.text.trim() : undefined
}

/** What is no text, though it stands where one would: a product's name, a command, an example of an input, keys. */
const names = new Set([
  'Steward', 'node dist/server.js setup-link', '…/setup#token=stw_link_…', 'web prod', 'Esc', '/mcp', '/steward',
  'production', 'https://id.example.com', 'example.com', 'groups', 'scaleService', 'ecs_service', 'web',
  'environment = staging', 'member', 'deploy.window', 'steward verify-audit', 'scale', 'post',
  'https://tools.example.com/mcp', 'team.example, other.example', 'organization#number=role', 'team.example', 'sha256',
  'arn:aws:sns:eu-west-1:123456789012:alarms', 'HTTP', 'JSON', 'Markdown', 'ms', 'MB', 'MB,', 'team', 'error',
  'registry/app:{sha}', 'arn:aws:iam::123456789012:role/steward'
])

const strayTexts = (file: string, code: string): string[] => {
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    const text = strayOf(node)
    if (text === undefined) node.forEachChild(walk)
    else if (!names.has(text)) found.push(`${file}: ${text}`)
  }
  walk(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true))
  return found
}

t.test('what is converted has no text of its own', async (t) => {
  const files = sources.filter((file) => converted.some((part) => file.startsWith(part)))
  t.ok(files.length > 40)
  t.same(files.flatMap((file) => strayTexts(file, read(file))), [])
})

t.test('a text of its own is found, wherever it stands', async (t) => {
  const template = ['`Wait for $', '{y}`'].join('')
  const code = `const a = <p title="Stop it">Not here {x ? "It is so." : ${template}}</p>; f("plain class")`
  t.same(strayTexts('a.tsx', code), ['Stop it', 'Not here', 'It is so.', 'Wait for'].map((text) => `a.tsx: ${text}`))
  t.comment(`${sources.length} sources, of which not yet converted: ` +
    [...new Set(sources.filter((file) => !converted.some((part) => file.startsWith(part)))
      .map((file) => join(...file.split('/').slice(0, 3))))].join(', '))
})
