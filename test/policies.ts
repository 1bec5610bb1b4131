import type { App } from './app.js'
import { asAdmin } from './app.js'

const url = '/account/policies'

export const putPolicies = (app: App, text: string, examples: object[] = [],
  headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'PUT', url, headers, payload: { text, examples } })

export const replayPolicies = (app: App, payload: object = {}, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'POST', url: `${url}/replay`, headers, payload })

export const enableDraft = (app: App, digest: string, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'POST', url: `${url}/enable`, headers, payload: { digest } })

/** Has policies hold, as an admin does: saved, replayed, enabled. @returns the version */
export const enablePolicies = async (app: App, text: string, headers: Record<string, string> = asAdmin):
Promise<number> => {
  const saved = await putPolicies(app, text, [], headers)
  if (saved.statusCode !== 200) throw new Error(saved.payload)
  const replayed = await replayPolicies(app, {}, headers)
  if (replayed.statusCode !== 200) throw new Error(replayed.payload)
  const { digest } = replayed.json()
  const enabled = await enableDraft(app, digest, headers)
  if (enabled.statusCode !== 200) throw new Error(enabled.payload)
  return enabled.json().enabled.version
}

/** A group with these people. @returns its id */
export const makeGroup = async (app: App, id: string, name: string, people: readonly string[],
  workspaceId = app.home.workspace_id): Promise<string> => {
  await app.db.insertInto('account_group').values({ workspace_id: workspaceId, id, name }).execute()
  for (const user_id of people) {
    await app.db.insertInto('account_group_member')
      .values({ workspace_id: workspaceId, group_id: id, user_id }).execute()
  }
  return id
}
