import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../api/client'
import { tidy, type Cell } from '../../parts/cell'
import { ListEditor } from '../../parts/list-editor'
import { EditPart, type Part } from './edit-part'
import { targetOf, type EditorProps, type SectionPart } from './section-part'
import { say } from '../../texts/say'

type SpecDocument = Schemas['SpecDocument']
export type ListName =
  'actors' | 'glossary' | 'entities' | 'interfaces' | 'success_criteria' | 'assumptions' | 'decisions'
type Entry<K extends ListName> = SpecDocument[K][number]

/** What is known of one list: its names, and how an entry is shown and edited. */
export interface ListKind<K extends ListName> {
  name: K
  label: string
  /** The name of one entry. */
  one: string
  blank: () => NoInfer<Entry<K>>
  show: (entry: Entry<K>) => ComponentChildren
  fields: (entry: Cell<Entry<K>>, index: number) => ComponentChildren
}

/** An entry that is new has no id: the server gives it one. Citations stay letter by letter. */
const forServer = (entry: object): object => {
  const { id, citations, ...rest }: { id?: string, citations?: unknown } = entry
  return { ...tidy(rest), ...(id ? { id } : {}), ...(citations ? { citations } : {}) }
}

interface ShowProps<K extends ListName> { kind: ListKind<K>, of: readonly Entry<K>[] }

const Entries = <K extends ListName>({ kind, of }: ShowProps<K>) =>
  <ul>{of.map((entry, index) => <li key={index}>{kind.show(entry)}</li>)}</ul>

const EditList = <K extends ListName>({ kind, ...props }: EditorProps & { kind: ListKind<K> }) => {
  const { name, label, one, blank, fields } = kind
  const target = targetOf(kind)
  const part: Part<Entry<K>[]> = {
    target,
    title: say('spec.edit.part', { part: label }),
    blank: [],
    read: (document) => document[name],
    op: (entries) => ({ op: 'replace', target, value: entries.map(forServer) }),
    show: (entries) => <Entries kind={kind} of={entries} />
  }
  return (
    <EditPart {...props} part={part}>
      {(edited) => <ListEditor label={label} one={one} of={edited} blank={blank}>{fields}</ListEditor>}
    </EditPart>
  )
}

export interface ListPart extends SectionPart { show: (document: SpecDocument) => ComponentChildren }

/** A list of a spec that a person can lock, and edit entry by entry. */
export const partOf = <K extends ListName>(kind: ListKind<K>): ListPart => ({
  name: kind.name,
  label: kind.label,
  isEmpty: (document) => document[kind.name].length === 0,
  show: (document) => <Entries kind={kind} of={document[kind.name]} />,
  edit: (props) => <EditList {...props} kind={kind} />
})
