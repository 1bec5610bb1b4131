import type { CreateIssue } from '../../../../schemas/codehost/issues.js'
import type { Requirement, SpecDocument } from 'steward-spec-engine/schemas'
import { bullets, inline, join, section, slugOf } from 'steward-spec-engine/export'
import { quiet } from '../pull/describe-pull.js'

type Task = SpecDocument['tasks'][number]
export interface SpecOf { document: SpecDocument, version: number }

const sourceOf = ({ citations }: Requirement): string => {
  const [first] = citations
  return first ? `From ${inline(first.location ?? first.chunk_id)}: “${inline(first.quote)}”` : ''
}

const requirementText = (item: Requirement): string => join([
  `### ${item.id}: ${inline(item.title)}`,
  inline(item.statement),
  sourceOf(item),
  bullets(item.acceptance.map(({ given, when, then }) => `Given ${given}, when ${when}, then ${then}`))
]).trimEnd()

const needs = (task: Task, { tasks }: SpecDocument): string => bullets(
  tasks.filter(({ id }) => task.depends_on.includes(id)).map(({ id, title }) => `${id}: ${title}`))

/** @returns the issue of a task, the same for the same version; its text mentions no one and closes no issue */
export const describeTaskIssue = (task: Task, { document, version }: SpecOf): Pick<CreateIssue, 'title' | 'body'> => {
  const items = document.requirements.filter(({ id }) => task.requirement_ids.includes(id))
  const names = items.map(({ id }) => `\`${slugOf(document.title)}/${id}\``).join(', ')
  const body = join([
    `Task ${task.id} of version ${version} of the spec “${inline(document.title)}”.`,
    names && `Name ${names} in commits and pull requests, so that the spec's trace finds them.`,
    section('Requirements', items.map(requirementText).join('\n\n')),
    section('Depends on', needs(task, document))
  ]).trimEnd()
  return { title: quiet(inline(task.title)).slice(0, 250).toWellFormed().trim(), body: quiet(body).slice(0, 50_000) }
}
