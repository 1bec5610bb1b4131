import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { listPageSources, read } from './sources.js'

/** Whose texts are all in the catalogue. What is not here still has them in its components. */
const converted = ['web/shell/', 'web/approvals/', 'web/pages/inbox/', 'web/parts/notice.tsx', 'web/parts/time.tsx']

const sourcesOfPage = listPageSources()
const sources = sourcesOfPage.filter((file) => !file.startsWith('web/texts/'))
type Text = string | { one: string, other: string }
type Catalogue = Record<string, Text>

/** The page's modules are for a bundler; those of the texts import nothing that runs. */
const load = async (language: string): Promise<Catalogue> => {
  const files = sourcesOfPage.filter((file) => file.startsWith(`web/texts/${language}/`) && !file.endsWith('index.ts'))
  const parts = await Promise.all(files.map(async (file) => {
    const { outputText } = ts.transpileModule(read(file), { compilerOptions: { target: ts.ScriptTarget.ES2022 } })
    // Each module exports one part of the catalogue.
    return Object.assign({}, ...Object.values(
      await import(`data:text/javascript,${encodeURIComponent(outputText)}`) as object)) as Catalogue
  }))
  return Object.assign({}, ...parts) as Catalogue
}

const [en, de] = await Promise.all([load('en'), load('de')])
const formsOf = (text: Text): string[] => typeof text === 'string' ? [text] : [text.one, text.other]
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
  t.same(Object.keys(en).filter((key) => !code.includes(`'${key}'`)), [])
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

/** What is no text, though it stands where one would: a product's name, a command, the form of a link, key caps. */
const names = new Set(['Steward', 'node dist/server.js setup-link', '…/setup#token=stw_link_…', 'web prod', 'Esc'])

const strayTexts = (file: string, code: string): string[] => {
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    const text = strayOf(node)
    if (text === undefined) node.forEachChild(walk)
    else if (!names.has(text)) found.push(`${file}: ${text}`)
  }
  walk(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
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
