import type { SpecDocument } from '../../schemas/document.js'
import type { ExportFile } from '../files.js'
import { deltasOf, type Delta, type Group, type Homes } from './deltas.js'
import { bullets, inline, join, paragraphs, section, slugOf } from '../text.js'

/** Limits of OpenSpec's validator for a change. */
const whyLimits = { min: 50, max: 1_000 }
const maxDeltas = 10

const reasonOf = ({ problem, summary, title }: SpecDocument): string => {
  const text = inline(problem || summary)
  return text.length >= whyLimits.min
    ? text
    : inline(`${text} This change says what ${title} has to do, as its inputs ask for it.`)
}

/** Divides the reason at a space: what exceeds OpenSpec's limit goes on in a section of its own. */
const whyOf = (document: SpecDocument): { why: string, more: string } => {
  const text = reasonOf(document)
  if (text.length <= whyLimits.max) return { why: text, more: '' }
  const space = text.lastIndexOf(' ', whyLimits.max)
  const cut = space > whyLimits.min ? space : whyLimits.max - Number(/[\uDC00-\uDFFF]/.test(text.charAt(whyLimits.max)))
  return { why: text.slice(0, cut), more: text.slice(cut).trim() }
}

const kinds = ['ADDED', 'MODIFIED', 'REMOVED', 'RENAMED'] as const

const entry = (delta: Delta): string => {
  const heading = `### Requirement: ${delta.name}`
  switch (delta.kind) {
    case 'REMOVED': return join([heading, `**Reason**: ${inline(delta.reason)}`, `**Migration**: ${delta.migration}`])
    case 'RENAMED': return `- FROM: \`### Requirement: ${delta.from}\`\n- TO: \`${heading}\``
    default: return join([heading, delta.text])
  }
}

const deltaSections = (deltas: readonly Delta[]): string[] => kinds.map((kind) => {
  const entries = deltas.filter((delta) => delta.kind === kind).map((delta) => entry(delta).trimEnd())
  return section(`${kind} Requirements`, entries.join('\n\n'))
})

const verbs = { ADDED: 'Added', MODIFIED: 'Changed', REMOVED: 'Removed', RENAMED: 'Renamed' }

const describeDelta = (delta: Delta): string =>
  `${verbs[delta.kind]}: ${delta.kind === 'RENAMED' ? `${delta.from}, now ${delta.name}` : delta.name}`

/** Divides deltas into changes within OpenSpec's limit; the deltas of a requirement stay together. */
const divide = (groups: readonly Group[]): Delta[][] => {
  const parts: Delta[][] = [[]]
  for (const group of groups) {
    const last = parts.at(-1) ?? []
    if (last.length + group.length > maxDeltas) parts.push([...group])
    else last.push(...group)
  }
  return parts
}

interface Task { id: string, title: string, ids: string[], component: string, needs: string[] }

const tasksOf = ({ tasks }: SpecDocument, deltas: readonly Delta[]): Task[] => tasks.length > 0
  ? tasks.map(({ id, title, requirement_ids: ids, component = 'Implementation', depends_on: needs }) =>
    ({ id, title, ids, component, needs }))
  : deltas.map((delta) =>
    ({ id: delta.id, title: describeDelta(delta), ids: [delta.id], component: 'Implementation', needs: [] }))

/** Assigns each task to the first part that has one of its requirements, or else to the first part. */
const deal = (document: SpecDocument, parts: readonly Delta[][]): Task[][] => {
  const dealt: Task[][] = parts.map(() => [])
  for (const task of tasksOf(document, parts.flat())) {
    const at = parts.findIndex((deltas) => deltas.some(({ id }) => task.ids.includes(id)))
    dealt[Math.max(0, at)]?.push(task)
  }
  return dealt
}

const taskList = (tasks: readonly Task[]): string => {
  const groups = new Map<string, Task[]>()
  for (const task of tasks) groups.set(task.component, [...groups.get(task.component) ?? [], task])
  const numbers = new Map<string, string>()
  const numbered = [...groups].map(([component, items], group) => ({ component, items, group: group + 1 }))
  for (const { items, group } of numbered) items.forEach(({ id }, at) => numbers.set(id, `${group}.${at + 1}`))
  const after = (needs: readonly string[]) => needs.flatMap((id) => numbers.get(id) ?? []).join(', ')
  return join([
    ...numbered.map(({ component, items, group }) => section(`${group}. ${component}`, items
      .map(({ title, needs }, at) =>
        `- [ ] ${group}.${at + 1} ${inline(title)}${after(needs) && ` (after ${after(needs)})`}`).join('\n')))
  ])
}

interface Change { document: SpecDocument, capabilityOf: (id: string) => string, isNew: boolean, isEmpty: boolean }

/** OpenSpec requires flags for a change without deltas and for one that empties the capability. */
const metadata = (deltas: readonly Delta[], isEmpty: boolean): string => {
  const retires = isEmpty && deltas.some(({ kind }) => kind === 'REMOVED')
  return `schema: spec-driven\n${deltas.length === 0 ? 'skip_specs: true\n' : ''}${
    retires ? 'retire_capabilities: true\n' : ''}`
}

const filesOf = ({ document, capabilityOf, isNew, isEmpty }: Change, deltas: readonly Delta[], tasks: readonly Task[],
  isFirst: boolean): ExportFile[] => {
  const capabilities = new Map<string, Delta[]>()
  for (const delta of deltas) {
    const name = capabilityOf(delta.id)
    capabilities.set(name, [...capabilities.get(name) ?? [], delta])
  }
  const affected = [...capabilities.keys()].join(', ')
  return [
    { path: '.openspec.yaml', content: metadata(deltas, isEmpty) },
    {
      path: 'proposal.md',
      content: join([
        section('Why', whyOf(document).why),
        section('Background', whyOf(document).more),
        section('What Changes',
          bullets(deltas.length > 0 ? deltas.map(describeDelta) : ['No requirement of the spec changes'])),
        section('Impact', bullets([`Affected specs: ${affected || 'none'}`]))
      ])
    },
    ...(tasks.length > 0 ? [{ path: 'tasks.md', content: taskList(tasks) }] : []),
    ...(document.design && isFirst ? [{ path: 'design.md', content: join([paragraphs(document.design)]) }] : []),
    ...[...capabilities].map(([name, own]) => ({
      path: `specs/${name}/spec.md`,
      content: join([isNew && section('Purpose', reasonOf(document)), ...deltaSections(own)])
    }))
  ]
}

/** An earlier version that was approved or imported. */
export interface Settled { version: number, document: SpecDocument }

/** The folder of a spec is its capability: "openspec/specs/doors/spec.md". */
const capabilityIn = (path: string): string | undefined => /(?:^|\/)specs\/([^/]+)\/spec\.md$/.exec(path)?.[1]

/** Exports over the same settled version share a name, so that a newer one replaces the older. */
const nameOf = (capability: string, settled: readonly Settled[], part: string): string => {
  const last = settled.at(-1)
  return last ? `update-${capability}-since-${last.version}${part}` : `add-${capability}${part}`
}

/**
 * Renders change folders in OpenSpec's layout.
 * @param settled the versions that the deltas compare with, oldest first
 * @param divides whether to divide the deltas into several changes within OpenSpec's limit
 * @param homes where the requirements stand in the repository, of a spec that was imported from it
 */
export const toOpenSpec = (document: SpecDocument, settled: readonly Settled[], divides: boolean,
  homes: Homes = new Map()): ExportFile[] => {
  const [home] = homes.values()
  const capability = (home && capabilityIn(home.path)) ?? slugOf((settled[0]?.document ?? document).title)
  const capabilityOf = (id: string) => capabilityIn(homes.get(id)?.path ?? '') ?? capability
  const { groups, isEmpty } = deltasOf(settled.map((one) => one.document), document, homes)
  const parts = divides ? divide(groups) : [groups.flat()]
  const tasks = deal(document, parts)
  const change = { document, capabilityOf, isNew: settled.length === 0, isEmpty }
  return parts.flatMap((deltas, at) => {
    const name = nameOf(capability, settled, parts.length > 1 ? `-part-${at + 1}` : '')
    return filesOf(change, deltas, tasks[at] ?? [], at === 0)
      .map(({ path, content }) => ({ path: `openspec/changes/${name}/${path}`, content }))
  })
}
