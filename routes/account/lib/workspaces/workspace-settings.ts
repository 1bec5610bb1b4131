import { readSignInRules } from '../../../../lib/codehost/sign-in-rules.js'
import type { Limits } from '../../../../plugins/config.js'
import type {
  OwnSettings, UpdateWorkspaceSettings, WorkspaceLimits, WorkspaceSettings
} from '../../../../schemas/account/workspace-settings.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import { messageOf } from '../../../../schemas/thrown.js'
import { LimitAboveInstallation } from '../errors.js'

export const showSettings = ({ limits, retention, sign_in, step_up, model }: OwnSettings, has_model_api_key: boolean):
WorkspaceSettings => ({
  limits: limits ?? null,
  retention: retention ?? null,
  sign_in: sign_in ?? null,
  step_up: step_up ?? null,
  model: model ?? null,
  has_model_api_key
})

/** What bounds a change. */
export interface Bounds {
  /** The host name of PUBLIC_URL, which others than the first workspace may not have. */
  own: string | undefined
  /** The installation's. */
  limits: Limits
  /** @throws model_price_unknown, model_not_listed */
  requireModel: (model: string) => Promise<void>
  encrypt: (context: string, plain: string) => Buffer
}

/** @returns the stored form of a key that is named; undefined = none is, and the stored one stays */
export const encryptKey = (id: string, { model_api_key: key }: UpdateWorkspaceSettings, { encrypt }: Bounds):
Buffer | null | undefined => typeof key === 'string' ? encrypt(`workspace|${id}|model_api_key`, key) : key

/** Limits protect the installation, and its bill: a workspace's are no higher. @throws limit_above_installation */
const requireLower = (limits: WorkspaceLimits, most: Limits): void => {
  const allowed: Record<string, number | undefined> = most
  const errors = Object.entries(limits).flatMap(([name, value]) => {
    const limit = allowed[name]
    if (limit === undefined || value <= limit) return []
    const message = `The installation's limit is ${limit}`
    return [{ pointer: `/settings/limits/${name}`, code: 'limit_above_installation', message }]
  })
  const [first] = errors
  if (first) throw LimitAboveInstallation(`${first.pointer} ${first.message}`, { errors })
}

/** @throws invalid_request */
const requireRules = (text: string): void => {
  const pointer = '/settings/sign_in'
  try {
    readSignInRules(text, pointer)
  } catch (error) {
    const message = messageOf(error)
    throw InvalidRequest(message, { errors: [{ pointer, code: 'sign_in_rules', message }] })
  }
}

/**
 * @param named each part replaces what is stored; null = as the installation
 * @returns what is stored from now on
 */
export const mergeSettings = (stored: OwnSettings, named: UpdateWorkspaceSettings,
  { limits: most }: Pick<Bounds, 'limits'>): OwnSettings => {
  if (named.limits) requireLower(named.limits, most)
  if (typeof named.sign_in === 'string') requireRules(named.sign_in)
  const { limits, retention, sign_in, step_up, model } = { ...stored, ...named }
  return {
    ...(limits && { limits }),
    ...(retention && { retention }),
    ...(typeof sign_in === 'string' && { sign_in }),
    ...(typeof step_up === 'boolean' && { step_up }),
    ...(typeof model === 'string' && { model })
  }
}
