import { randomUUID } from 'node:crypto'
import { ordinaryRequirement, type Requirement } from '../../schemas/agent/requirements.js'
import type { App } from '../app.js'
import { makePerson } from '../routes/account/actors.js'

export type Headers = Record<string, string>

export interface Person { id: string, headers: Headers }

/** A group with these people; its operations are tried elsewhere. */
export const makeGroup = async (app: App, name: string, people: readonly Person[]): Promise<string> => {
  const { workspace_id } = app.home
  const id = randomUUID()
  await app.db.insertInto('account_group').values({ workspace_id, id, name }).execute()
  for (const { id: user_id } of people) {
    await app.db.insertInto('account_group_member').values({ workspace_id, group_id: id, user_id }).execute()
  }
  return id
}

export const makePeople = async (app: App, names: readonly string[], role: 'member' | 'admin' = 'member') => {
  const people: Person[] = []
  for (const name of names) people.push(await makePerson(app, name, role))
  return people
}

/** What a test reads of a proposed call. */
export interface Proposed {
  tool_call_id: string
  session_id: string
  run_id: string
  confirmation: { id: string, input_digest: string, thread_id: string }
}

/** Proposes a project as a program would. */
export const proposeProject = async (app: App, headers: Headers, name: string, more: object = {}):
Promise<Proposed> => {
  const payload = { name: 'createProject', arguments: { name }, ...more }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/agent/tool-calls', headers, payload })
  if (answer.statusCode !== 202) throw new Error(answer.payload)
  return answer.json()
}

/** Writes on a question who has to approve it, as the judge of policies does when it is asked. */
export const requireApprovals = async (app: App, id: string, requirement: Partial<Requirement>): Promise<void> => {
  await app.db.updateTable('agent_confirmation')
    .set({ requirement: JSON.stringify({ ...ordinaryRequirement, ...requirement }) }).where('id', '=', id).execute()
}

export const decideAs = (app: App, { headers }: Pick<Person, 'headers'>, { session_id, confirmation }: Proposed,
  approved: boolean, more: object = {}) => app.inject({
  method: 'POST',
  url: '/api/v1/agent/confirm',
  headers,
  payload: { session_id, confirmation_id: confirmation.id, approved, ...more }
})

/** @returns the call when it has ended */
export const endOf = async (app: App, headers: Headers, { tool_call_id: id }: Proposed) =>
  (await app.inject({ url: `/api/v1/agent/tool-calls/${id}?wait_s=20`, headers })).json()

export const countProjects = async (app: App, name: string): Promise<number> =>
  (await app.db.selectFrom('account_project').select('id').where('name', '=', name).execute()).length

export const confirmationOf = async (app: App, { headers }: Pick<Person, 'headers'>, id: string) =>
  (await app.inject({ url: `/api/v1/agent/confirmations/${id}`, headers })).json()
