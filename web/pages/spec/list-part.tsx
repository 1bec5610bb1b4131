import type { ComponentChildren } from 'preact'
import { useSignal } from '@preact/signals'
import { Plus } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { tidy, type Cell } from '../../parts/cell'
import { FormDialog } from '../../parts/form-dialog'
import { ListEditor } from '../../parts/list-editor'
import { ChangedMeanwhile, useBase } from './base'
import { PartHead } from './part-head'
import type { Spec, Version } from './index'
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

interface Props<K extends ListName> { spec: Spec & { version: Version }, kind: ListKind<K> }

/** An entry that is new has no id: the server gives it one. Citations stay letter by letter. */
const forServer = (entry: object): object => {
  const { id, citations, ...rest }: { id?: string, citations?: unknown } = entry
  return { ...tidy(rest), ...(id ? { id } : {}), ...(citations ? { citations } : {}) }
}

const EditList = <K extends ListName>({ spec, kind, onClose }: Props<K> & { onClose: () => void }) => {
  const { name, label, one, blank, fields } = kind
  const edited = useSignal<Entry<K>[]>(spec.version.document[name])
  const base = useBase(spec, spec.version, (document) => document[name])
  const act = () =>
    base.send({ op: 'replace', target: `sections.${name}`, value: edited.value.map(forServer) })
  return (
    <FormDialog
      title={say('spec.edit.part', { part: label })} verb={say('spec.save')} act={act} ready={!base.newer}
      onClose={onClose}
    >
      <ChangedMeanwhile of={base} />
      <ListEditor label={label} one={one} of={edited} blank={blank}>{fields}</ListEditor>
    </FormDialog>
  )
}

/** A list of a spec that a person can lock, and edit entry by entry. */
export const ListPart = <K extends ListName>({ spec, kind }: Props<K>) => {
  const isEdited = useSignal(false)
  const edit = () => { isEdited.value = true }
  const entries: readonly Entry<K>[] = spec.version.document[kind.name]
  return (
    <div>
      {entries.length > 0
        ? <><PartHead {...spec} name={kind.name} label={kind.label} onEdit={edit} />
          <ul>{entries.map((entry, index) => <li key={index}>{kind.show(entry)}</li>)}</ul>
        </>
        : <button type='button' class='small' onClick={edit}><Plus size={14} aria-hidden='true' />{kind.label}</button>}
      {isEdited.value && <EditList spec={spec} kind={kind} onClose={() => { isEdited.value = false }} />}
    </div>
  )
}
