import type { Schemas } from '../../api/client'
import { EditRequirement } from './edit-requirement'
import { EditQuestion } from './edit-question'
import { EditStory } from './edit-story'
import { EditTask } from './edit-task'
import { targetOf, type EditorProps } from './section-part'
import { sectionParts } from './section-parts'
import { say } from '../../texts/say'

const sectionOf = (document: Schemas['SpecDocument'], target: string) =>
  sectionParts(document).find((part) => targetOf(part) === target)

/** @returns what the person reads of an editor's target */
export const labelOf = (document: Schemas['SpecDocument'], target: string): string => {
  if (target === 'requirements') return say('spec.requirement.add')
  if (target === 'stories') return say('spec.story.add')
  return sectionOf(document, target)?.label ?? target
}

/** The editor of a target: an id, sections.<key>, or the list to which a requirement or a story is added. */
export const Editor = ({ target, ...props }: EditorProps & { target: string }) => {
  const section = sectionOf(props.version.document, target)
  if (section) return <>{section.edit(props)}</>
  if (target === 'stories') return <EditStory {...props} id={undefined} />
  if (target === 'requirements') return <EditRequirement {...props} id={undefined} />
  if (target.startsWith('US-')) return <EditStory {...props} id={target} />
  if (target.startsWith('Q-')) return <EditQuestion {...props} id={target} />
  if (/^T\d/.test(target)) return <EditTask {...props} id={target} />
  return <EditRequirement {...props} id={target} />
}
