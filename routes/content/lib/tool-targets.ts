import type { Change, Read, Target } from '../../../lib/tools/options.js'
import { Project } from '../../../schemas/account/projects.js'
import { Brief } from '../../../schemas/content/briefs.js'
import { Content } from '../../../schemas/content/contents.js'
import { ApiError } from '../../../schemas/errors.js'
import { ProjectArchived } from './errors.js'

/** @returns the summary of a call that may be a dry run */
export const summarize = (isDryRun: boolean | undefined, summary: string): string =>
  isDryRun ? `Plan only: ${summary}` : summary

export const contentUrl = (id: string) => `/content/${encodeURIComponent(id)}`

/** @param version default: the newest */
export const readRecord = (id: string, read: Read, version?: number) =>
  read(`${contentUrl(id)}${version === undefined ? '' : `?version=${version}`}`, Content)

type Record = Pick<Content, 'id' | 'project_id' | 'brief_id' | 'title' | 'slug'>

/** @returns the parents of a record: a change of its project, brand or brief conflicts with one of the record */
export const holdersOf = ({ project_id: project, brief_id: brief }: Pick<Record, 'project_id' | 'brief_id'>) =>
  ({ project, ...(brief !== null && { brief }) })

export const contentTarget = (content: Record): Target =>
  ({ kind: 'content', id: content.id, within: holdersOf(content), names: [content.title, content.slug] })

export const briefUrl = (id: string) => `/content/briefs/${encodeURIComponent(id)}`

export const readBriefRecord = (id: string, read: Read) => read(briefUrl(id), Brief)

export const briefTarget = ({ id, project_id: project, title }: Brief): Target =>
  ({ kind: 'brief', id, within: { project }, names: [title] })

/**
 * @returns the name of the project, or its id where the caller may not read projects
 * @throws project_archived, before a person is asked to approve
 */
export const nameProject = async (id: string, read: Read): Promise<string> => {
  try {
    const { name, archived_at: archived } = await read(`/account/projects/${encodeURIComponent(id)}`, Project)
    if (archived !== null) throw ProjectArchived()
    return name
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_scope') return id
    throw error
  }
}

/** The project that something is added to. The row does not bind: a renamed project is the same one. */
export const projectRow = (name: string): Change =>
  ({ label: 'Project', field: 'project_id', before: null, after: name, binding: false, context: true })
