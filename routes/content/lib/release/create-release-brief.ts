import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../../../lib/security/principal.js'
import type { BriefBody } from 'steward-prose-engine/schemas'
import type { Brief, CreateReleaseBrief } from '../../../../schemas/content/briefs.js'
import { createBrief } from '../brands/change-brief.js'
import { NothingReleased } from '../errors.js'
import { requireOpenProject } from '../find-project.js'
import { groupChanges } from './group-changes.js'
import { readRange, type Deps } from './read-range.js'

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const shaped = /^[0-9a-f]{40}$/

/** @returns a ref as people write it */
const shown = (ref: string): string => shaped.test(ref) ? ref.slice(0, 7) : ref

/** What the brief does not have is marked, and so the text that is made of it cannot be approved as it is. */
const restOf = (omitted: number, isWhole: boolean): BriefBody['points'] => {
  if (isWhole && omitted === 0) return []
  const what = isWhole ? countOf(omitted, 'older change', 'older changes') : 'the changes before the 500 newest commits'
  return [{ text: `Older changes: ${what}, which the brief does not have`, fact_ids: [] }]
}

/**
 * Makes a brief of what was merged between two refs: each change is a fact with its link, each group a point.
 * @throws nothing_released, not_found, project_archived, and what the code host's routes answer
 */
export const createReleaseBrief = async (app: Deps & Pick<FastifyInstance, 'db'>, principal: Principal,
  { project_id, repo_id, base, head, title }: CreateReleaseBrief): Promise<Brief> => {
  await requireOpenProject(app.db, principal.workspace_id, project_id)
  const range = await readRange(app, principal, repo_id, base, head)
  const { facts, points, omitted } = groupChanges(range)
  const to = head === undefined ? 'The default branch' : shown(head)
  if (points.length === 0) throw NothingReleased(`${to} has nothing that ${shown(base)} has not`)
  return createBrief(app.db, principal, {
    project_id,
    title: title ?? `What is new since ${shown(base)}`.slice(0, 200),
    goal: '',
    key_message: `${countOf(facts.length, 'change', 'changes')} since ${shown(base)}`.slice(0, 500),
    points: [...points, ...restOf(omitted, range.isWhole)],
    facts,
    channels: [{ channel: 'release_notes', length: 'medium' }],
    locales: [],
    keywords: [],
    must_include: [],
    must_avoid: []
  })
}
