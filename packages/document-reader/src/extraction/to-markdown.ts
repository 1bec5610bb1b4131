import type Turndown from 'turndown'

/** What the rules read of a node; turndown's types have those of a browser, which Node has not. */
interface Node {
  nodeName: string
  textContent: string | null
  childNodes: Iterable<Node> & { length: number }
  parentNode: Node | null
  nextSibling: Node | null
  previousSibling: Node | null
}

const nodesOf = (node: unknown): Node => node as Node

const cellOf = (content: string): string => content.replaceAll('\n', ' ').replace(/ {2,}/g, ' ').trim().replaceAll('|', '\\|')

const cellsIn = (row: Node): Node[] =>
  [...row.childNodes].filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH')

/** The first row of its table: no row stands before it, here or in a head of the table. */
const isFirst = (row: Node): boolean => {
  const before = (node: Node): boolean => {
    for (let other = node.previousSibling; other; other = other.previousSibling) {
      if (/^(?:TR|THEAD|TBODY)$/.test(other.nodeName)) return true
    }
    return false
  }
  const group = row.parentNode
  return !before(row) && !(group && group.nodeName !== 'TABLE' && before(group))
}

const maxBold = 90

/** A short paragraph that is bold as a whole is what people make headings of. */
const isBoldHeading = (node: Node): boolean => {
  const parts = [...node.childNodes].filter(({ textContent }) => (textContent ?? '').trim() !== '')
  const [only] = parts
  const text = (node.textContent ?? '').trim()
  return node.nodeName === 'P' && parts.length === 1 && /^(?:STRONG|B)$/.test(only?.nodeName ?? '') &&
    text.length <= maxBold && !/[.!?;]$/.test(text) && !/^(?:TD|TH|LI)$/.test(node.parentNode?.nodeName ?? '')
}

const addTables = (turndown: Turndown): void => {
  turndown.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content, node) => {
      const { parentNode } = nodesOf(node)
      const isLeft = parentNode !== null && cellsIn(parentNode)[0] === nodesOf(node)
      return `${isLeft ? '| ' : ' '}${cellOf(content)} |`
    }
  })
  turndown.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const row = nodesOf(node)
      const rule = isFirst(row) ? `\n|${cellsIn(row).map(() => '---|').join('')}` : ''
      return `\n${content.trim()}${rule}`
    }
  })
  turndown.addRule('tableParts', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  turndown.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` })
}

interface Styled { nodeName: string, getAttribute: (name: string) => string | null }

/** Editors strike words by an element, or by a style of their own; <u> and colours strike nothing. */
const isStruck = (node: Styled): boolean => /^(?:DEL|S|STRIKE)$/.test(node.nodeName) ||
  (node.nodeName === 'SPAN' && /line-through/.test(node.getAttribute('style') ?? ''))

/** Teaches turndown what documents of Word and pages hold: tables, headings in bold, terms with their definition. */
export const addDocumentRules = (turndown: Turndown): void => {
  addTables(turndown)
  turndown.addRule('boldHeading', {
    filter: (node) => isBoldHeading(nodesOf(node)),
    replacement: (_, node) => `\n\n#### ${(nodesOf(node).textContent ?? '').trim().replace(/:$/, '')}\n\n`
  })
  turndown.addRule('term', { filter: 'dt', replacement: (content) => `\n\n${content.trim()}: ` })
  turndown.addRule('definition', {
    filter: 'dd',
    replacement: (content) => `${content.trim().replaceAll('\n', ' ')}\n\n`
  })
  turndown.addRule('struck', {
    filter: (node) => isStruck(node),
    replacement: (content) => content.trim() === '' ? content : `~~${content.trim()}~~`
  })
}
