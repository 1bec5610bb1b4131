import { useSignal } from '@preact/signals'
import { FolderKanban, Plus } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { ActionButton } from '../../parts/action-button'
import { Badge } from '../../parts/badge'
import { Choice } from '../../parts/form'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { SettingsMenu } from '../settings/menu'
import { InstructionsDialog } from './instructions-dialog'
import { ProjectDialog } from './project-dialog'
import { say, sayEach } from '../../texts/say'

type Project = Schemas['Project']
const shown = { false: 'project.inUse', true: 'project.archived', all: 'project.every' } as const

interface RowProps { project: Project, onEdit: () => void, onInstruct: () => void, onChange: () => void }

const Row = ({ project, onEdit, onInstruct, onChange }: RowProps) => {
  const params = { path: { project_id: project.id } }
  const move = async () => {
    if (project.archived_at) await body(api.POST('/account/projects/{project_id}/unarchive', { params }))
    else await body(api.POST('/account/projects/{project_id}/archive', { params }))
    onChange()
  }
  return (
    <tr>
      <td><Link href={`/projects/${project.id}`}>{project.name}</Link>{' '}
        {project.archived_at && <Badge>{say('project.isArchived')}</Badge>}
        <div class='small muted'>{project.description}</div>
      </td>
      <td class='nowrap'><Time at={project.updated_at} /></td>
      <td><div class='row tight fixed'>
        {!project.archived_at && <button
          type='button' class='small' aria-label={say('common.editOne', { name: project.name })} onClick={onEdit}
        >{say('common.edit')}
        </button>}
        {!project.archived_at && <button
          type='button' class='small' onClick={onInstruct}
          aria-label={say('project.instructionsOf', { name: project.name })}
        >{say('project.instructions')}
        </button>}
        <ActionButton
          variant='small' act={move}
          label={say(project.archived_at ? 'project.restoreOne' : 'project.archiveOne', { name: project.name })}
        >{say(project.archived_at ? 'project.restore' : 'project.archive')}
        </ActionButton>
      </div>
      </td>
    </tr>
  )
}

const NoProjects = () => <Empty icon={FolderKanban} title={say('project.noneYet')}>
  <p>{say('project.noneYet.words')}</p>
</Empty>

/** The projects, which group the work. */
export default function ProjectsPage () {
  const editing = useSignal<Project | 'new' | undefined>(undefined)
  const instructing = useSignal<Project | undefined>(undefined)
  const archived = useSignal<keyof typeof shown>('false')
  const projects = usePages<Project>([archived.value], (cursor, signal) => body(api.GET('/account/projects',
    { params: { query: { limit: 50, cursor, archived: archived.value } }, signal })))
  const add = (
    <button type='button' class='primary' onClick={() => { editing.value = 'new' }}>
      <Plus size={16} aria-hidden='true' />{say('project.new')}
    </button>
  )
  const { value } = editing
  return (
    <div class='page'>
      <PageHead title={say('project.title')} guide='content' actions={add}>{say('project.words')}</PageHead>
      <div class='with-menu'>
        <SettingsMenu current='/projects' />
        <div class='stack'>
          <div class='filters'><Choice label={say('project.shown')} value={archived} options={sayEach(shown)} unseen />
          </div>
          <section class='card flush' aria-label={say('project.title')}>
            <List of={projects} empty={<NoProjects />}>
              {(items) => <Table columns={[
                say('project.label'), say('project.changed'), { unseen: say('common.change') }
              ]}
              >
                {items.map((project) => <Row
                  key={project.id} project={project} onChange={projects.reload}
                  onEdit={() => { editing.value = project }} onInstruct={() => { instructing.value = project }}
                />)}
              </Table>}
            </List>
          </section>
        </div>
      </div>
      {value && <ProjectDialog
        project={value === 'new' ? undefined : value} onChange={projects.reload}
        onClose={() => { editing.value = undefined }}
      />}
      {instructing.value && <InstructionsDialog
        project={instructing.value} onClose={() => { instructing.value = undefined }}
      />}
    </div>
  )
}
