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
import { InstructionsDialog } from './instructions-dialog'
import { ProjectDialog } from './project-dialog'

type Project = Schemas['Project']
const shown = { false: 'In use', true: 'Archived', all: 'All' } as const

interface RowProps { project: Project, onEdit: () => void, onInstruct: () => void, onChange: () => void }

const Row = ({ project, onEdit, onInstruct, onChange }: RowProps) => {
  const params = { path: { project_id: project.id } }
  const move = async () => {
    if (project.archived_at) await body(api.POST('/account/projects/{project_id}/unarchive', { params }))
    else await body(api.POST('/account/projects/{project_id}/archive', { params }))
    onChange()
  }
  const verb = project.archived_at ? 'Restore' : 'Archive'
  return (
    <tr>
      <td><Link href={`/projects/${project.id}`}>{project.name}</Link> {project.archived_at && <Badge>archived</Badge>}
        <div class='small muted'>{project.description}</div>
      </td>
      <td class='nowrap'><Time at={project.updated_at} /></td>
      <td><div class='row tight fixed'>
        {!project.archived_at && <button
          type='button' class='small' aria-label={`Edit ${project.name}`} onClick={onEdit}
        >Edit
        </button>}
        {!project.archived_at && <button
          type='button' class='small' aria-label={`Instructions of ${project.name}`} onClick={onInstruct}
        >Instructions
        </button>}
        <ActionButton variant='small' label={`${verb} ${project.name}`} act={move}>{verb}</ActionButton>
      </div>
      </td>
    </tr>
  )
}

const NoProjects = () => <Empty icon={FolderKanban} title='No projects'>
  <p>A project holds a brand, its briefs and its content, and the specs that belong together. Make one above.</p>
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
      <Plus size={16} aria-hidden='true' />New project
    </button>
  )
  const { value } = editing
  return (
    <div class='page'>
      <PageHead title='Projects' actions={add}>Projects group briefs, content and specs. Each has a brand.</PageHead>
      <div class='filters'><Choice label='Shown' value={archived} options={shown} unseen /></div>
      <section class='card flush' aria-label='Projects'>
        <List of={projects} empty={<NoProjects />}>
          {(items) => <Table columns={['Project', 'Changed', { unseen: 'Change' }]}>
            {items.map((project) => <Row
              key={project.id} project={project} onChange={projects.reload}
              onEdit={() => { editing.value = project }} onInstruct={() => { instructing.value = project }}
            />)}
          </Table>}
        </List>
      </section>
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
