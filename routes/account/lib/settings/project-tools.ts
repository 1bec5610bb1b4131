import { fieldChanges, sentFields } from '../../../../lib/tools/changes.js'
import { defineWriteTool, type Read, type Target } from '../../../../lib/tools/options.js'
import { CreateProject, Project, ProjectPage, ProjectParams, UpdateProject } from '../../../../schemas/account/projects.js'
import { etag } from '../../../../schemas/revisions.js'
import { ProjectNameTaken } from '../errors.js'

const fields = ['name', 'description'] as const

const readProject = (id: string, read: Read) => read(`/account/projects/${encodeURIComponent(id)}`, Project)

const targetOf = ({ id, name }: Project): Target => ({ kind: 'project', id, names: [name] })

const sent = (input: UpdateProject) => sentFields(fields, input)

const isAsSent = (input: UpdateProject, project: Project) =>
  sent(input).every((field) => (project[field] ?? null) === (input[field] ?? null))

/** @returns the project that bears the name now: names are unique among those not archived, in any case */
const findByName = async (name: string, read: Read): Promise<Project | undefined> => {
  const { items } = await read(`/account/projects?limit=100&q=${encodeURIComponent(name)}`, ProjectPage)
  return items.find((project) => project.name.toLowerCase() === name.toLowerCase())
}

export const createTool = defineWriteTool({
  input: { body: CreateProject },
  reads: ['listProjects'],
  basis: 'That no project has the name: what is made is all in the arguments',
  additive: true,
  async plan (input, read) {
    if (await findByName(input.name, read)) throw ProjectNameTaken()
    return {
      target: { kind: 'project', id: `new:${input.name}` },
      summary: `Create project ${input.name}`,
      changes: fieldChanges(sent(input), input, {}),
      risk: ['only_adds'],
      undo: 'Archive it'
    }
  },
  async reconcile (input, read) {
    const project = await findByName(input.name, read)
    if (!project) return 'not_done'
    return isAsSent(input, project) ? 'done' : 'unclear'
  }
})

export const updateTool = defineWriteTool({
  input: { params: ProjectParams, body: UpdateProject },
  reads: ['getProject'],
  basis: 'The fields that are changed, as they are; others may change without a word',
  async plan (input, read) {
    const project = await readProject(input.project_id, read)
    return {
      target: targetOf(project),
      summary: `Change project ${project.name}: ${sent(input).join(', ')}`,
      changes: fieldChanges(sent(input), input, project),
      facts: { archived_at: project.archived_at },
      ifMatch: etag(project.revision),
      risk: ['own_records'],
      leaves: Object.fromEntries(sent(input).map((field) => [field, input[field]])),
      undo: 'Change it back'
    }
  },
  reconcile: async (input, read) => isAsSent(input, await readProject(input.project_id, read)) ? 'done' : 'unclear'
})

export const archiveTool = defineWriteTool({
  input: { params: ProjectParams },
  reads: ['getProject'],
  basis: 'Whether it is archived, and its name, by which a person knows it',
  async plan ({ project_id: id }, read) {
    const project = await readProject(id, read)
    const before = project.archived_at === null ? 'in use' : 'archived'
    return {
      target: targetOf(project),
      summary: `Archive project ${project.name}`,
      changes: [{ label: 'status', before, after: 'archived' }],
      facts: { name: project.name },
      ifMatch: etag(project.revision),
      risk: ['archives']
    }
  },
  reconcile: async ({ project_id: id }, read) =>
    (await readProject(id, read)).archived_at === null ? 'not_done' : 'done'
})
