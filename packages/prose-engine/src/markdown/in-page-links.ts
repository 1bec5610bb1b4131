import type { Element, ElementContent, Root } from 'hast'
import { visit } from 'unist-util-visit'
import { decodeFragment, headingNames } from './heading-names.js'

export interface LinkPosition {
  /** The prefix of every id, so that several texts can stand on one page. */
  prefix: string
  /** The base of relative addresses; without it they stay as they are. */
  base?: string | undefined
}

const textOf = (node: Root | ElementContent): string => {
  if (node.type === 'text') return node.value
  // The number of a footnote is no part of a heading.
  if (node.type === 'element' && node.tagName === 'sup') return ''
  return 'children' in node ? (node.children as ElementContent[]).map(textOf).join('') : ''
}

const elementsIn = (tree: Root, isOne: (element: Element) => boolean): Element[] => {
  const found: Element[] = []
  visit(tree, 'element', (node) => { if (isOne(node)) found.push(node) })
  return found
}

/** The link targets of a text: elements with an id, and headings, which get an id when a link leads to them. */
class Names {
  readonly #ids: Set<string>
  readonly #headings: Map<string, Element>

  constructor (tree: Root, readonly prefix: string) {
    this.#ids = new Set(elementsIn(tree, ({ properties }) => typeof properties.id === 'string')
      .map(({ properties }) => String(properties.id)))
    const all = elementsIn(tree, ({ tagName, properties }) => /^h[1-6]$/.test(tagName) && properties.id === undefined)
    const names = headingNames(all.map(textOf))
    this.#headings = new Map(all.map((heading, index) => [names[index] ?? '', heading]))
  }

  /** @returns the id that a name leads to */
  lead (name: string): string | undefined {
    const id = this.prefix + name
    const heading = this.#headings.get(name)
    if (this.#ids.has(id)) return id
    if (!heading) return undefined
    heading.properties.id = id
    return id
  }
}

const isRelative = (url: string): boolean => !/^(?:[a-z][a-z\d+.-]*:|#)/i.test(url)

/** Rehype plugin: resolves each link for the page that shows the text; a link to a missing heading becomes text. */
export const inPageLinks = ({ prefix, base }: LinkPosition) => (tree: Root): void => {
  const names = new Names(tree, prefix)
  visit(tree, 'element', (node) => {
    const key = node.tagName === 'img' ? 'src' : 'href'
    const url = node.properties[key]
    if (typeof url !== 'string') return
    if (base !== undefined && isRelative(url) && URL.canParse(url, base)) {
      node.properties[key] = new URL(url, base).href
    }
    if (!url.startsWith('#')) return
    const id = names.lead(url.slice(1)) ?? names.lead(decodeFragment(url.slice(1)))
    if (id === undefined) Object.assign(node, { tagName: 'span', properties: {} })
    else node.properties.href = `#${id}`
  })
}
