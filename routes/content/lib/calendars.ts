import type { FastifyInstance } from 'fastify'
import {
  countCalendars, findCalendar, insertCalendar, touchCalendar, type CalendarRow
} from '../../../db/content/calendars.js'
import { listScheduled, type ScheduledRow } from '../../../db/content/scheduled.js'
import { hasRoleOn, highestRole, visibleProjects } from '../../../lib/access/require-access.js'
import { findPerson } from '../../../lib/account/people.js'
import { hasRole, type Principal } from '../../../lib/security/principal.js'
import { issueToken, keyOfToken } from '../../../lib/security/tokens.js'
import type { AddCalendar } from '../../../schemas/content/calendars.js'
import { NotFound } from '../../../schemas/errors.js'
import { CalendarsFull, requireProject } from './errors.js'

type Deps = Pick<FastifyInstance, 'db' | 'home' | 'workspaces'>

const maxCalendars = 20

/** Makes an address of a calendar, which shows what the person sees. @throws not_found, calendars_full */
export const addCalendar = async (app: Deps, { workspace_id: workspaceId, user_id: userId }: Principal,
  { name, project_id: only }: AddCalendar): Promise<CalendarRow & { url: string }> => {
  if (only !== undefined) await requireProject(app.db, workspaceId, only)
  if (await countCalendars(app.db, workspaceId, userId) >= maxCalendars) throw CalendarsFull()
  const { text, hash } = issueToken(app, 'cal', workspaceId)
  const row = await insertCalendar(app.db, workspaceId, { user_id: userId, project_id: only ?? null, name, hash })
  return { ...row, url: `${app.workspaces.originOf(workspaceId)}/content/calendar/${text}.ics` }
}

type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** @returns the projects that the calendar shows; undefined = all. @throws not_found */
const projectsOf = (person: Person, only: string | null): string[] | undefined => {
  if (!hasRole({ role: highestRole(person) }, 'viewer')) throw NotFound()
  if (only === null) return visibleProjects(person)
  if (!hasRoleOn(person, 'viewer', { project_id: only })) throw NotFound()
  return [only]
}

/**
 * What the address shows is what its person may see now: nothing more once they lose a project, or are disabled.
 * @throws not_found, whatever is wrong with the address
 */
export const readCalendar = async (app: Deps, text: string): Promise<{ name: string, rows: ScheduledRow[] }> => {
  const key = keyOfToken(app, 'cal', text)
  if (!key) throw NotFound()
  const found = await findCalendar(app.db, key.workspaceId, key.hash)
  if (!found) throw NotFound()
  const person = await findPerson(app.db, key.workspaceId, found.user_id)
  if (person?.status !== 'active') throw NotFound()
  const rows = await listScheduled(app.db, key.workspaceId, projectsOf(person, found.project_id))
  if (found.stale) await touchCalendar(app.db, key.workspaceId, found.id)
  return { name: found.name, rows }
}
