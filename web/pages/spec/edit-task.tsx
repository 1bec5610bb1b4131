import type { Schemas } from '../../api/client'
import { field, optional, tidy, type Cell } from '../../parts/cell'
import { CheckField, Choice, TextField } from '../../parts/form'
import { EditPart, type Part } from './edit-part'
import { IdChoice } from './id-choice'
import type { EditorProps } from './section-part'
import { say } from '../../texts/say'

type SpecDocument = Schemas['SpecDocument']
type Task = SpecDocument['tasks'][number]
type Edited = Omit<Task, 'id'>

const blank: Edited = { title: '', requirement_ids: [], story_id: null, depends_on: [], parallel: false }

/** @returns what a task says besides its title */
export const describeTask = ({ requirement_ids: ids, story_id: story, depends_on: after, parallel, component }: Edited):
string => [
  component,
  [...ids, ...story === null ? [] : [story]].join(', '),
  after.length > 0 && say('spec.task.after', { tasks: after.join(', ') }),
  parallel && say('spec.task.parallel')
].filter(Boolean).join(' · ')

/** @returns the tasks with this one, which others may have removed meanwhile */
const withTask = (tasks: readonly Task[], task: Task): Task[] => tasks.some(({ id }) => id === task.id)
  ? tasks.map((one) => one.id === task.id ? task : one)
  : [...tasks, task]

const partOf = (id: string | undefined): Part<Edited> => ({
  target: id ?? 'sections.tasks',
  title: id === undefined ? say('spec.task.add') : say('spec.edit', { name: id }),
  blank,
  read: ({ tasks }) => {
    const { id: _, ...found } = tasks.find((one) => one.id === id) ?? { id: undefined }
    return 'title' in found ? found : undefined
  },
  op: (edited, { tasks }) => id === undefined
    ? { op: 'add', target: 'sections.tasks', value: tidy(edited) }
    : { op: 'replace', target: 'sections.tasks', value: withTask(tasks, { ...tidy(edited), id }) },
  show: (task) => <p><strong>{task.title}</strong> <span class='muted'>{describeTask(task)}</span></p>
})

const storyOf = (of: Cell<Edited>): Cell<string> => ({
  get value () { return of.value.story_id ?? '' },
  set value (next) { of.value = { ...of.value, story_id: next === '' ? null : next } }
})

const Fields = ({ of, document, id }: { of: Cell<Edited>, document: SpecDocument, id: string | undefined }) => <>
  <TextField label={say('specs.title')} value={field(of, 'title')} required maxLength={300} />
  <IdChoice
    label={say('spec.requirements')} of={field(of, 'requirement_ids')}
    options={document.requirements.filter(({ status }) => status === 'active')}
  />
  <IdChoice
    label={say('spec.task.dependsOn')} of={field(of, 'depends_on')}
    options={document.tasks.filter((one) => one.id !== id)}
  />
  <div class='fields'>
    <Choice
      label={say('spec.task.story')} value={storyOf(of)}
      options={{ '': say('value.none'), ...Object.fromEntries(document.stories.map((one) => [one.id, one.id])) }}
    />
    <TextField label={say('spec.task.component')} value={optional(of, 'component', '')} maxLength={300} />
  </div>
  <CheckField label={say('spec.task.parallel.label')} value={field(of, 'parallel')} />
</>

/** Edits a task, or adds one where the id is undefined. */
export const EditTask = ({ id, ...props }: EditorProps & { id: string | undefined }) => <EditPart
  {...props} part={partOf(id)}
>{(edited) => <Fields of={edited} document={props.version.document} id={id} />}
</EditPart>
