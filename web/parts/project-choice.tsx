import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { findProjects, readProject, useHasProjects } from '../api/projects'
import { useResource } from '../api/resource'
import type { Cell } from './cell'
import { Combobox } from './combobox'
import { Notice } from './notice'
import { say, sayWith } from '../texts/say'

interface Props {
  value: Cell<string>
  label?: string
  /** What the empty id stands for, where no project may be chosen: all of them in a filter, or none. */
  none?: string
  /** The label is for screen readers only. */
  unseen?: boolean
}

/** @returns the name of the chosen project, as it was found, or looked up where only an address names it */
const useName = (id: string, seen: Record<string, string>): string => {
  const { data, loading } = useResource([id, id in seen], async (signal) =>
    id === '' || id in seen ? undefined : (await readProject(id, signal)).name)
  return id === '' ? '' : seen[id] ?? data ?? (loading ? '' : say('project.unknown'))
}

/** A choice of a project, which the server finds by its name. */
export const ProjectChoice = ({ value, label = say('project.label'), none, unseen = false }: Props) => {
  const seen = useSignal<Record<string, string>>({})
  const chosen = useName(value.value, seen.value)
  const isAny = useHasProjects()
  if (isAny === false && none === undefined) {
    return <Notice>{sayWith('project.none', { make: <Link href='/projects'>{say('project.make')}</Link> })}</Notice>
  }
  return (
    <Combobox
      label={label} chosen={chosen} chosenKey={value.value} find={findProjects} unseen={unseen}
      {...(none !== undefined && { none })} onChoose={(project) => {
        if (project) seen.value = { ...seen.value, [project.id]: project.name }
        value.value = project?.id ?? ''
      }}
    />
  )
}
