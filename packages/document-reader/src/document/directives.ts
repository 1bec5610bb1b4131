import type { Element } from './block.js'
import { foreignId } from './marks.js'

/** Directives whose body is no text, or that only place other things; each other one is a container that is read. */
const opaque = new Set(('code code-block code-cell sourcecode literalinclude parsed-literal highlight math image figure ' +
  'toctree contents include raw uml plantuml graphviz digraph mermaid index meta needtable needlist needflow needpie ' +
  'needimport item-list item-matrix item-attributes-matrix item-2d-matrix item-relink autoclass autofunction automodule ' +
  'default-role role currentmodule module bibliography csv-filter eval-rst').split(' '))

export const isOpaque = (name: string): boolean => opaque.has(name.toLowerCase())

/** An id alone, or in front of a title: "R2", "SWRQT-OPEN Opening a door". */
const leadingId = /^([A-Z][A-Z0-9]{0,15}(?:[-_.][A-Za-z0-9]{1,20}){1,5}|[A-Z]{1,4}\d{1,5})(?=\s|$)[ \t]*/

/** @returns the element that a directive begins, with what stands behind its name */
export const elementOf = (type: string, argument: string): Element => {
  const words = argument.trim()
  const found = foreignId(words)
  const id = found?.id ?? leadingId.exec(words)?.[1]
  const title = words.slice(found?.length ?? leadingId.exec(words)?.[0].length ?? 0)
  return { type, ...(id !== undefined && { id }), ...(title !== '' && { title }), fields: {} }
}

const option = /^[ \t]*:([A-Za-z][\w-]{0,40}):(.*)$/

/** Takes a line such as ":id: REQ_1" to the element. @returns whether it is one */
export const readOption = (element: Element, line: string): boolean => {
  const [, name, value = ''] = option.exec(line) ?? []
  if (name === undefined) return false
  element.fields[name.toLowerCase()] = value.trim()
  if (name.toLowerCase() === 'id') element.id = value.trim()
  if (name.toLowerCase() === 'title') element.title = value.trim()
  return true
}
