import { deletePreferences, listPreferences, setPreference } from '../../../../db/agent/preferences.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { Tools } from '../../../../plugins/tools.js'
import type { SetPreference, UpdatePreferences } from '../../../../schemas/agent/preferences.js'
import { AssistantToken } from '../../../../schemas/errors.js'
import { PreferenceInvalid, StalePreference } from '../errors.js'
import { redact } from '../../../../lib/security/redaction.js'

interface Deps {
  db: Db
  tools: Tools
  config: { limits: { preferences_per_user: number } }
}

const invalid = (pointer: string, message: string) =>
  PreferenceInvalid(`${pointer} ${message}`, { errors: [{ pointer, code: 'preference_invalid', message }] })

/** What code enforces must be readable by code: which tool, which arguments. */
const requireValid = (deps: Deps, workspaceId: string, set: SetPreference, index: number): void => {
  const at = `/set/${index}`
  const enforced = set.kind === 'default' || set.kind === 'forbid'
  if (enforced && typeof set.value === 'string') {
    throw invalid(`${at}/value`, `must be an object of arguments for kind ${set.kind}`)
  }
  if (!enforced && typeof set.value !== 'string') {
    throw invalid(`${at}/value`, `must be a sentence for kind ${set.kind}`)
  }
  if (enforced && (set.applies_to ?? []).length === 0) {
    throw invalid(`${at}/applies_to`, 'must name the tools it is about')
  }
  for (const [tool, name] of (set.applies_to ?? []).entries()) {
    const found = deps.tools.find(name, workspaceId)
    if (!found) throw invalid(`${at}/applies_to/${tool}`, 'is not a tool')
    const known = [...found.fields]
    const unknown = enforced && Object.keys(set.value).find((argument) => !known.includes(argument))
    if (unknown) throw invalid(`${at}/value/${unknown}`, `is not an argument of ${name}`)
  }
  if (JSON.stringify(redact(set.value)) !== JSON.stringify(set.value)) {
    throw invalid(`${at}/value`, 'must not hold a credential')
  }
}

export const showPreferences = async (deps: Pick<Deps, 'db'>, principal: Principal) => ({
  items: await listPreferences(deps.db, principal.workspace_id, principal.user_id)
})

type Change = Parameters<typeof setPreference>[3]

/** What an assistant's token sets waits for a person: it has no effect, and replaces nothing that a person set. */
const toChange = (set: SetPreference, { assistant }: Principal): Change => {
  const { applies_to = [], status = 'active' } = set
  return assistant
    ? { ...set, applies_to, status: 'suggested', source: 'assistant' }
    : { ...set, applies_to, status, source: 'user' }
}

const refusal = ({ key }: SetPreference, { assistant }: Principal) => assistant
  ? AssistantToken(`${key} is no suggestion, or has another version: suggest another key`, { key })
  : StalePreference(`${key} has another version`, { key })

/**
 * Merges by key: what is not named stays. @returns all preferences afterwards
 * @throws preference_invalid, stale_preference, assistant_token; nothing is written then
 */
export const updatePreferences = async (deps: Deps, principal: Principal, body: UpdatePreferences) => {
  const { workspace_id, user_id } = principal
  const sets = body.set ?? []
  if (principal.assistant && body.remove?.length) throw AssistantToken('A person removes preferences')
  await deps.tools.prepare(principal.workspace_id, sets.flatMap(({ applies_to: names }) => names ?? []))
  for (const [index, set] of sets.entries()) requireValid(deps, principal.workspace_id, set, index)
  return deps.db.transaction().execute(async (trx) => {
    await deletePreferences(trx, workspace_id, user_id, body.remove ?? [])
    for (const set of sets) {
      if (!await setPreference(trx, workspace_id, user_id, toChange(set, principal))) throw refusal(set, principal)
    }
    const shown = await showPreferences({ db: trx }, principal)
    const most = deps.config.limits.preferences_per_user
    if (shown.items.length > most) throw invalid('/set', `would be more than ${most} preferences`)
    return shown
  })
}
