import { Link } from 'wouter-preact'
import { useProjects } from '../api/projects'
import type { Cell } from './cell'
import { Choice } from './form'
import { Notice } from './notice'
import { say, sayWith } from '../texts/say'

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
    return <Notice>{sayWith('project.none', { make: <Link href='/projects'>{say('project.make')}</Link> })}</Notice>
  }
  const named = Object.fromEntries((projects ?? []).map(({ id, name }) => [id, name]))
  const nothing = all ? say('project.all') : none ? say('project.noProject') : say('common.choose')
  const first: Record<string, string> = all || none || value.value === '' ? { '': nothing } : {}
  return <Choice label={say('project.label')} value={value} options={{ ...first, ...named }} unseen={all} />
}
