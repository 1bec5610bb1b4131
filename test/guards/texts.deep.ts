import t from '../tap.js'
import ts from 'typescript'
import { formsOf, loadCatalogue } from './catalogue.js'
import { listPageSources, read } from './sources.js'

/** Only in development: it shows the components, with examples that nobody translates. */
const ofDevelopers = 'web/pages/components/'
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

/** Three words in a row, as no class, key or state has them. */
const isPhrase = (text: string): boolean => /^ ?\p{L}+(,? \p{L}+){2,}[ .:?!…]*$/u.test(text)
/** What stands around a value in a text: two words, or one with a mark. */
const isAround = (text: string): boolean => /(^|\s)\p{L}{2,} \p{L}{2,}|^ \p{L}{2,}\p{Po}?$/u.test(text)

/** Attributes with several words that nobody reads. */
const unreadAttributes = new Set(['class', 'variant', 'style', 'rel', 'accept', 'd', 'allow', 'sandbox', 'key'])
const isUnread = (node: ts.Node): boolean => {
  const around = ts.findAncestor(node, ts.isJsxAttribute)
  return around !== undefined && unreadAttributes.has(around.name.getText())
}

/** @returns the plural of `x === 1 ? 'line' : 'lines'`, which no other language makes so */
const pluralOf = (node: ts.Node): string | undefined => {
  if (!ts.isConditionalExpression(node)) return undefined
  const { whenTrue: one, whenFalse: other } = node
  if (!ts.isStringLiteral(one) || !ts.isStringLiteral(other)) return undefined
  return other.text === `${one.text}s` ? other.text : undefined
}

const strayOf = (node: ts.Node): string | undefined => {
  const plural = pluralOf(node)
  if (plural !== undefined) return plural
  if (ts.isJsxText(node) && isWords(node.text)) return node.text.trim()
  if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer)) {
    return readAttributes.has(node.name.getText()) && isWords(node.initializer.text) ? node.initializer.text : undefined
  }
  if (ts.isTemplateMiddleOrTemplateTail(node)) {
    return isAround(node.text) && !isUnread(node) ? node.text.trim() : undefined
  }
  const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node)
  const isFound = isText && (isSentence(node.text) || isPhrase(node.text)) && !isUnread(node)
  return isFound ? node.text.trim() : undefined
}

/** What is no text, though it stands where one would: a product's name, a command, an example of an input, keys. */
const names = new Set([
  'Steward', 'node dist/server.js setup-link', '…/setup#token=stw_link_…', 'web prod', 'Esc', '/mcp', '/steward',
  'production', 'https://id.example.com', 'example.com', 'groups', 'scaleService', 'ecs_service', 'web',
  'environment = staging', 'member', 'deploy.window', 'steward verify-audit', 'scale', 'post',
  'https://tools.example.com/mcp', 'team.example, other.example', 'organization#number=role', 'team.example', 'sha256',
  'arn:aws:sns:eu-west-1:123456789012:alarms', 'HTTP', 'JSON', 'Markdown', 'ms', 'MB', 'MB,', 'team', 'error', 'ERROR',
  'registry/app:{sha}', 'arn:aws:iam::123456789012:role/steward', 'en, de-CH', 'content/{channel}/{slug}.md',
  'vCPU', 'min', 'https://models.example.com', 'my-project', 'arn:aws:iam::123456789012:role/steward-model',
  'scaleService, deployService', 'desired_count'
])
/** Lists of words that are read from the API or from logs, and shown by other names; and what writes Cedar. */
const wordLists = ['web/parts/badge.tsx', 'web/parts/log-level.ts', 'web/pages/settings/policies/rows.ts']

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

t.test('no text stands in the code of a page', async (t) => {
  const files = sources.filter((file) => !file.startsWith(ofDevelopers) && !wordLists.includes(file))
  t.ok(files.length > 300)
  t.same(files.flatMap((file) => strayTexts(file, read(file))), [])
})

t.test('a text of its own is found, wherever it stands', async (t) => {
  const template = ['`Wait for $', '{y}`'].join('')
  const tail = ['`$', '{y} were left`'].join('')
  const code = `const a = <p title="Stop it" class="small muted grow">Not here {x ? "It is so." : ${template}}</p>; ` +
    `f("plain class"); const b = who ?? 'somebody who left'; c = { text: 'no longer here' }; d = ${tail}; ` +
    'e = n === 1 ? \'line\' : \'lines\''
  t.same(strayTexts('a.tsx', code),
    ['Stop it', 'Not here', 'It is so.', 'Wait for', 'somebody who left', 'no longer here', 'were left', 'lines']
      .map((text) => `a.tsx: ${text}`))
})
