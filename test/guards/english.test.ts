import t from 'tap'
import ts from 'typescript'
import { listSources, read } from './sources.js'

/** What this project once said in a language of its own; each has a term of the field beside it in the glossary. */
const words = ['wish', 'wishes', 'wished', 'tell', 'tells', 'told', 'telling', 'teller', 'asker', 'askless', 'crossing',
  'crossings', 'hurry', 'kick', 'kicks', 'patience', 'trouble', 'troubles', 'troubled', 'twin', 'twins', 'sealed',
  'resealing', 'objection', 'somebody', 'said', 'unsaid']

/** In prose these are English; as names they say nothing of what they hold. */
const names = new Set([...words, 'place', 'places'])
const prose = new RegExp(`\\b(?:${words.filter((word) => word !== 'said').join('|')}|stand-ins?|nobody's)\\b`, 'i')

/** Names that are a contract: a setting's, and that of a field of a library's message. */
const contracts: Record<string, RegExp> = { source_patience_ms: /./, 'place': /^routes\/content\/lib\/lint\/english\.ts$/ }

interface Position { file: string, node: ts.Node, source: ts.SourceFile }

/** A guard that throws is `requireX`, whatever it requires. */
const otherGuards = /^(?:demand|refuse|ensure|must)[A-Z]/

const wordsOf = (name: string): string[] => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/)

/** @returns the comments before a token */
const commentsOf = ({ node, source }: Position): string =>
  node.getChildCount(source) > 0 ? '' : source.text.slice(node.getFullStart(), node.getStart(source))

/** What a person reads who runs the tests or the service: titles of tests and of errors, lines of the log. */
const isRead = ({ parent }: ts.Node): boolean => ts.isCallExpression(parent) &&
  /(?:^t?\.?test|defineError|\.(?:warn|error|info|debug))$/.test(parent.expression.getText())

const findIn = (position: Position): string | undefined => {
  const { node } = position
  const isNamed = (name: string) => otherGuards.test(name) || wordsOf(name).some((word) => names.has(word))
  if (ts.isIdentifier(node) && isNamed(node.text)) return node.text
  const comment = prose.exec(commentsOf(position))?.[0]
  if (comment) return comment
  return ts.isStringLiteralLike(node) && isRead(node) ? prose.exec(node.text)?.[0] : undefined
}

const search = (position: Position): string[] => {
  const { file, node, source } = position
  const found = findIn(position)
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
  const own = found === undefined || contracts[found]?.test(file) ? [] : [`${file}:${line + 1} ${found}`]
  return [...own, ...node.getChildren(source).flatMap((child) => search({ file, node: child, source }))]
}

t.test('names, comments, titles and log lines use the terms of the field', async (t) => {
  const files = ['app.ts', 'server.ts',
    ...['lib', 'plugins', 'routes', 'schemas', 'db', 'sandbox', 'bench', 'eval', 'packages', 'test']
      .flatMap(listSources)]
  t.ok(files.length > 1_000)
  t.same(files.flatMap((file) => {
    const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ESNext, true)
    return search({ file, node: source, source })
  }), [])
})
