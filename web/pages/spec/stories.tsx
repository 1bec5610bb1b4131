import { useSignal } from '@preact/signals'
import { Pencil, Plus } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { field } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { ChangedMeanwhile, useBase } from './base'
import { CriteriaEditor, withoutIds, type Written } from './criteria'
import type { Spec, Version } from './index'
import { say } from '../../texts/say'

type Story = Schemas['Story']
type Edited = Pick<Story, 'title' | 'role' | 'want' | 'so_that' | 'priority'> & { acceptance: Written[] }

const priorities = { P1: 'P1', P2: 'P2', P3: 'P3' } as const
const blank: Edited = { title: '', role: '', want: '', so_that: '', priority: 'P2', acceptance: [] }

const editable = ({ title, role, want, so_that, priority, acceptance }: Story): Edited =>
  ({ title, role, want, so_that, priority, acceptance: withoutIds(acceptance) })

interface EditProps extends Spec { version: Version, story: Story | undefined, onClose: () => void }

const EditStory = ({ story, onClose, ...spec }: EditProps) => {
  const edited = useSignal(story ? editable(story) : blank)
  const base = useBase(spec, spec.version, ({ stories }) => stories.find(({ id }) => id === story?.id))
  const act = () => base.send(story
    ? { op: 'replace', target: story.id, value: edited.value }
    : { op: 'add', target: 'stories', value: edited.value })
  return (
    <FormDialog
      title={story ? say('spec.edit', { name: story.id }) : say('spec.story.add')} verb={say('spec.save')} act={act}
      ready={!base.newer} onClose={onClose}
    >
      <ChangedMeanwhile of={base} />
      <TextField label={say('specs.title')} value={field(edited, 'title')} required maxLength={120} />
      <TextField
        label={say('spec.story.role')} value={field(edited, 'role')} required maxLength={120}
        placeholder={say('spec.story.role.example')}
      />
      <TextField label={say('spec.story.want')} value={field(edited, 'want')} required maxLength={500} />
      <TextField label={say('spec.story.soThat')} value={field(edited, 'so_that')} maxLength={500} />
      <Choice label={say('spec.priority')} value={field(edited, 'priority')} options={priorities} />
      <CriteriaEditor of={field(edited, 'acceptance')} />
    </FormDialog>
  )
}

/** The stories; a person can edit and add them. */
export const Stories = (spec: Spec & { version: Version }) => {
  const editing = useSignal<Story | 'new' | undefined>(undefined)
  return (
    <section class='card stack tight' aria-label={say('spec.stories')}>
      <div class='row spread'><h2>{say('spec.stories')}</h2>
        <button type='button' class='small' onClick={() => { editing.value = 'new' }}>
          <Plus size={14} aria-hidden='true' />{say('spec.story.add')}
        </button>
      </div>
      <ul>{spec.version.document.stories.map((story) => <li key={story.id}>
        <code>{story.id}</code> {story.so_that
          ? say('spec.story.whole', { role: story.role, want: story.want, reason: story.so_that })
          : say('spec.story', { role: story.role, want: story.want })}
        {!story.locked && <button
          type='button' class='quiet icon small' aria-label={say('spec.edit', { name: story.id })}
          onClick={() => { editing.value = story }}
        ><Pencil size={15} aria-hidden='true' />
        </button>}
      </li>)}
      </ul>
      {editing.value && <EditStory
        {...spec} story={editing.value === 'new' ? undefined : editing.value}
        onClose={() => { editing.value = undefined }}
      />}
    </section>
  )
}
