import { Link } from 'wouter-preact'
import { useProjects } from '../api/projects'
import type { Cell } from './cell'
import { Choice } from './form'
import { Notice } from './notice'

interface Props {
  value: Cell<string>
  /** For a filter: the empty id means all projects. */
  all?: boolean
  /** For an optional project: the empty id means none. */
  none?: boolean
}

/** A select of projects. */
export const ProjectChoice = ({ value, all = false, none = false }: Props) => {
  const projects = useProjects()
  if (projects?.length === 0 && !all && !none) {
    return <Notice>There is no project yet. <Link href='/projects'>Make one first.</Link></Notice>
  }
  const named = Object.fromEntries((projects ?? []).map(({ id, name }) => [id, name]))
  const nothing = all ? 'All projects' : none ? 'None' : 'Choose …'
  const first: Record<string, string> = all || none || value.value === '' ? { '': nothing } : {}
  return <Choice label='Project' value={value} options={{ ...first, ...named }} unseen={all} />
}
