import { useRef } from 'preact/hooks'
import { Plus, Trash2 } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { describeTask, EditTask } from './edit-task'
import { EditButton, PartHead } from './part-head'
import { isShown, type SectionPart } from './section-part'
import { sendEdit } from './send-inputs'
import type { Written } from './index'
import { say } from '../../texts/say'

type Task = Schemas['SpecDocument']['tasks'][number]

export const taskPart = (): SectionPart => ({
  name: 'tasks',
  label: say('spec.trace.tasks'),
  isEmpty: ({ tasks }) => tasks.length === 0,
  edit: (props) => <EditTask {...props} id={undefined} />
})

/** @returns the tasks without one, on which then none depends */
const without = (tasks: readonly Task[], id: string): Task[] => tasks.filter((one) => one.id !== id)
  .map((one) => ({ ...one, depends_on: one.depends_on.filter((other) => other !== id) }))

interface RowProps extends Written { task: Task, isLocked: boolean, onRemoved: () => void }

const Row = ({ task, isLocked, onRemoved, session, version, onChange, edit }: RowProps) => {
  const { id } = task
  const remove = async () => {
    await sendEdit(session.session_id, version, {
      of: ({ tasks }) => tasks.find((one) => one.id === id),
      op: ({ tasks }) => ({ op: 'replace', target: 'sections.tasks', value: without(tasks, id) })
    }).finally(onChange)
    onRemoved()
  }
  return (
    <li><code>{id}</code> {task.title} <span class='small muted'>{describeTask(task)}</span>
      {!isLocked && <>
        <EditButton label={say('spec.edit', { name: id })} onEdit={() => { edit(id) }} />
        <ActionButton variant='quiet icon small' label={say('spec.remove', { id })} act={remove}>
          <Trash2 size={15} aria-hidden='true' />
        </ActionButton>
      </>}
    </li>
  )
}

/** The tasks; a person can edit, add and remove each, and lock all. */
export const Tasks = (written: Written) => {
  const add = useRef<HTMLButtonElement>(null)
  const { version: { document }, edit } = written
  const part = taskPart()
  const isLocked = document.locked_sections.includes(part.name)
  if (!isShown(document, part)) return null
  return (
    <section class='card stack tight' aria-label={part.label}>
      <div class='row spread'><PartHead {...written} name={part.name} label={part.label} level='h2' />
        {!isLocked && <button ref={add} type='button' class='small' onClick={() => { edit('sections.tasks') }}>
          <Plus size={14} aria-hidden='true' />{say('spec.task.add')}
        </button>}
      </div>
      <ul>{document.tasks.map((task) => <Row
        key={task.id} {...written} task={task} isLocked={isLocked} onRemoved={() => add.current?.focus()}
      />)}
      </ul>
    </section>
  )
}
