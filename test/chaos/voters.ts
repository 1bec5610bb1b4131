import { randomUUID } from 'node:crypto'
import { asAdmin } from '../app.js'
import { ordinaryRequirement } from '../../schemas/agent/requirements.js'
import type { openQueries } from './postgres.js'

type Headers = Record<string, string>
type Query = ReturnType<typeof openQueries>

/** One of the people; half of them decide by a browser's session, half by an API token. */
export interface Voter { id: string, name: string, headers: Headers }

/** Asks again until it is answered with less than 500: an instance that dies, or starts, answers nothing of use. */
export const persist = async (request: () => Promise<Response>): Promise<Response> => {
  for (const end = Date.now() + 120_000; ;) {
    const answer = await request().catch(() => undefined)
    if (answer && answer.status < 500) return answer
    await answer?.body?.cancel()
    if (Date.now() > end) throw new Error(`No answer: ${answer?.status}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** @returns the answer, its body as the document of the API says it is: a wrong guess fails the test that reads it */
export const ask = async <Body = unknown>(url: string, method: string, path: string, headers: Headers,
  body?: object) => {
  const key = randomUUID()
  const answer = await persist(() => fetch(url + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json', 'idempotency-key': key }) },
    ...(body && { body: JSON.stringify(body) })
  }))
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as Body }
}

const scopes = ['account:read', 'account:write', 'agent:read', 'agent:write', 'approvals:write']

const makeVoter = async (url: string, name: string, byToken: boolean): Promise<Voter> => {
  const made = await ask<{ user: { id: string }, link: { url: string } }>(
    url, 'POST', '/account/users', asAdmin, { name, role: 'member' })
  const { user, link } = made.body
  const token = new URL(link.url).hash.replace('#token=', '')
  const signed = await ask(url, 'POST', '/account/sign-in', { 'sec-fetch-site': 'same-origin' }, { token })
  const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? ''
  const browser = { cookie, 'sec-fetch-site': 'same-origin' }
  if (!byToken) return { id: user.id, name, headers: browser }
  const issued = await ask<{ secret: string }>(
    url, 'POST', '/account/tokens', browser, { name, scopes, expires_in_days: 1 })
  return { id: user.id, name, headers: { authorization: `Bearer ${issued.body.secret}` } }
}

/** Four people of one group. */
export const makeVoters = async (url: string, query: Query) => {
  const voters: Voter[] = []
  for (const [index, name] of ['Ada', 'Bea', 'Cem', 'Dan'].entries()) {
    voters.push(await makeVoter(url, name, index % 2 === 1))
  }
  const group = randomUUID()
  const [row] = await query<{ id: string }>('select id from workspace')
  const workspace = String(row?.id)
  await query('insert into account_group (workspace_id, id, name) values ($1, $2, $3)', [workspace, group, 'Voters'])
  for (const { id } of voters) {
    await query('insert into account_group_member (workspace_id, group_id, user_id) values ($1, $2, $3)',
      [workspace, group, id])
  }
  return { voters, group }
}

/** What two people of the group have to approve, neither of them who asked. */
export const requireTwo = (query: Query, confirmation: string, group: string) =>
  query('update agent_confirmation set requirement = $2 where id = $1', [confirmation, JSON.stringify({
    ...ordinaryRequirement, approvals: 2, groups: [group], exclude_requester: true
  })])
