import type { Schemas } from '../../api/client'
import { field } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { CriteriaEditor, CriteriaList, withoutIds, type WrittenCriterion } from './criteria'
import { EditPart, type Part } from './edit-part'
import type { EditorProps } from './section-part'
import { say } from '../../texts/say'

type Story = Schemas['Story']
type Edited = Pick<Story, 'title' | 'role' | 'want' | 'so_that' | 'priority'> & { acceptance: WrittenCriterion[] }

const priorities = { P1: 'P1', P2: 'P2', P3: 'P3' } as const
const blank: Edited = { title: '', role: '', want: '', so_that: '', priority: 'P2', acceptance: [] }

const editable = ({ title, role, want, so_that, priority, acceptance }: Story): Edited =>
  ({ title, role, want, so_that, priority, acceptance: withoutIds(acceptance) })

type Told = Pick<Story, 'role' | 'want' | 'so_that' | 'sentence'>

/** @returns the story in the words of its source, else by its parts */
export const sentenceOf = ({ sentence, role, want, so_that: reason }: Told): string => {
  if (sentence !== undefined) return sentence
  return reason ? say('spec.story.whole', { role, want, reason }) : say('spec.story', { role, want })
}

const partOf = (id: string | undefined): Part<Edited> => ({
  target: id ?? 'stories',
  title: id === undefined ? say('spec.story.add') : say('spec.edit', { name: id }),
  blank,
  read: ({ stories }) => {
    const found = stories.find((one) => one.id === id)
    return found && editable(found)
  },
  op: (value) => id === undefined ? { op: 'add', target: 'stories', value } : { op: 'replace', target: id, value },
  show: (story) => <>
    <p><strong>{story.title}</strong> {sentenceOf(story)} <span class='muted'>{story.priority}</span></p>
    <CriteriaList of={story.acceptance} />
  </>
})

/** Edits a story, or adds one where the id is undefined. */
export const EditStory = ({ id, ...props }: EditorProps & { id: string | undefined }) => <EditPart
  {...props} part={partOf(id)}
>{(edited) => <>
  <TextField label={say('specs.title')} value={field(edited, 'title')} required maxLength={120} />
  <TextField
    label={say('spec.story.role')} value={field(edited, 'role')} required maxLength={120}
    placeholder={say('spec.story.role.example')}
  />
  <TextField label={say('spec.story.want')} value={field(edited, 'want')} required maxLength={500} />
  <TextField label={say('spec.story.soThat')} value={field(edited, 'so_that')} maxLength={500} />
  <Choice label={say('spec.priority')} value={field(edited, 'priority')} options={priorities} />
  <CriteriaEditor of={field(edited, 'acceptance')} />
</>}
</EditPart>
