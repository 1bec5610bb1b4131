import { Link } from 'wouter-preact'
import { Problem } from '../api/problem'
import { say, type Key } from '../texts/say'
import { translate } from '../texts/translate'
import { formatLabel } from './label'

/** A problem in the server's words: a title, and where that is a translation, the sentence of the server. */
export interface Words { title: string, detail: string | undefined }

interface Fault { pointer: string, label: string, message: string }

/** A problem as a person reads it. */
export interface Explained extends Words {
  /** What was in the way of the call that Steward made for this one. */
  cause: Words | undefined
  /** What is wrong with which field, of the request or of that call. */
  faults: readonly Fault[]
  advice: Key | undefined
  /** The page where something can be done about it. */
  page: { href: string, label: Key } | undefined
  request: string | undefined
}

/** What stands for an error inside a result, a list or an event: the same code, with its sentence. */
interface Told { code: string, message?: string | undefined, detail?: string | undefined }

/** @returns the problem that an answer carries beside its data */
export const toProblem = ({ code, message, detail = message }: Told): Problem =>
  new Problem(code, 0, detail ?? '', { code })

/** @returns the problem that the result of a failed call is; nothing of any other result */
export const problemIn = (result: unknown): Problem | undefined => {
  // Every error response has these members; what else a result may be has not.
  const { code, detail, title, status } = (result ?? {}) as Partial<NonNullable<Problem['body']>>
  if (typeof code !== 'string' || typeof (detail ?? title) !== 'string') return undefined
  return new Problem(code, status ?? 0, detail ?? title ?? '', result as Problem['body'])
}

/** An id that can be none: the address of the page was changed, or cut when it was copied. */
const isOfAddress = ({ code, pointer }: Problem): boolean =>
  code === 'invalid_request' && pointer?.startsWith('/params/') === true

const wordsOf = (problem: Problem): Words => {
  if (isOfAddress(problem)) return { title: say('problem.address'), detail: undefined }
  const { code, message, body } = problem
  const title = translate('errors', code)
  // A code alone says little, and is still more than nothing.
  if (title === code) return { title: message === '' || message === code ? formatLabel(code) : message, detail: undefined }
  const isSaid = body === undefined || message === '' || message === body.title
  return { title, detail: isSaid ? undefined : translate('details', message) }
}

/** @returns the problem of the call that Steward made in turn: the schema of a problem does not list it */
const causeOf = ({ body }: Problem): Problem | undefined => {
  const { cause } = (body ?? {}) as { cause?: unknown }
  return problemIn(cause)
}

/** "/body/rules/0/check" is "Rules › 1 › Check". */
const nameField = (pointer: string): string =>
  pointer.replace(/^\/(?:body|querystring|query|params|arguments)(?=\/)/, '').split('/').slice(1)
    .map((part) => /^\d+$/.test(part) ? String(Number(part) + 1) : formatLabel(part)).join(' › ')

const faultsOf = ({ body }: Problem): Fault[] => (body?.errors ?? []).map(({ pointer, message }) =>
  ({ pointer, label: nameField(pointer), message: translate('faults', message) }))

const advice: Record<string, Key> = {
  unreachable: 'problem.unreachable',
  plan_unavailable: 'problem.plan_unavailable',
  rate_limited: 'problem.rate_limited',
  insufficient_role: 'problem.insufficient_role',
  cloud_access_denied: 'problem.cloud_access_denied',
  aws_permission_denied: 'problem.cloud_access_denied'
}

const accounts = { href: '/accounts', label: 'problem.to.accounts' } as const
const connections = { href: '/settings/connections', label: 'problem.to.connections' } as const
const model = { href: '/settings/model', label: 'problem.to.model' } as const
const inbox = { href: '/inbox', label: 'problem.to.approvals' } as const

/** Where the reader can do something about it, by its code. */
const pages: Record<string, { href: string, label: Key }> = {
  cloud_access_denied: accounts,
  cloud_account_unusable: accounts,
  cloud_account_read_only: accounts,
  cloud_session_unavailable: accounts,
  aws_key_denied: accounts,
  aws_not_enabled: accounts,
  aws_permission_denied: accounts,
  codehost_not_connected: connections,
  codehost_reauth_required: connections,
  model_key_refused: model,
  model_needed: model,
  model_not_configured: model,
  model_spend_limit: model,
  model_unknown: model,
  approvals_pending: inbox,
  too_many_waiting: inbox
}

/** @returns everything that a person is to read of a problem: every place that shows one asks here */
export const explainProblem = (problem: Problem): Explained => {
  const found = causeOf(problem)
  const { code, message, body } = problem
  // The sentence may name the cause already.
  const isNamed = found !== undefined && message.includes(found.message)
  const faults = isOfAddress(problem) ? [] : faultsOf(problem)
  return {
    ...wordsOf(problem),
    cause: found && !isNamed ? wordsOf(found) : undefined,
    faults: faults.length > 0 || !found ? faults : faultsOf(found),
    advice: advice[found?.code ?? code] ?? advice[code],
    page: pages[found?.code ?? code] ?? pages[code],
    request: body?.request_id
  }
}

/** @returns a problem in one line, where there is room for no more */
export const sayProblem = (problem: Problem): string => {
  const { title, detail } = explainProblem(problem)
  return detail === undefined ? title : `${title}: ${detail}`
}

/** What was in the way, below what did not work. */
export const Cause = ({ of: { title, detail } }: { of: Words }) => <div
  class='small' lang={detail === undefined ? undefined : 'en'}
>
  {detail === undefined ? title : `${title}: ${detail}`}
</div>

export const Faults = ({ of }: { of: readonly Fault[] }) => of.length === 0
  ? null
  : <ul>{of.map(({ pointer, label, message }) => <li key={pointer + message}>
    {label === '' ? message : `${label}: ${message}`}
  </li>)}
  </ul>

/** Leads to where something can be done. */
export const PageButton = ({ of: { page } }: { of: Explained }) => page
  ? <Link class='button small' href={page.href}>{say(page.label)}</Link>
  : null
