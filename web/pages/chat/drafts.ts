import type { Schemas } from '../../api/client'

/** An unsent message survives a reload of the tab. */
const keyOf = (session: string | undefined) => `steward-draft-${session ?? 'new'}`

export const readDraft = (session: string | undefined): string => sessionStorage.getItem(keyOf(session)) ?? ''

export const keepDraft = (session: string | undefined, text: string): void => {
  if (text === '') sessionStorage.removeItem(keyOf(session))
  else sessionStorage.setItem(keyOf(session), text)
}

const filesKeyOf = (session: string) => `steward-draft-files-${session}`
const sendKeyOf = (session: string) => `steward-draft-send-${session}`

interface Prepared { text: string, files: readonly Schemas['Attachment'][], send: boolean }

/** What is to be written, or sent at once, in a session that was just copied. */
export const prepareDraft = (session: string, { text, files, send }: Prepared): void => {
  keepDraft(session, text)
  if (files.length > 0) sessionStorage.setItem(filesKeyOf(session), JSON.stringify(files))
  if (send) sessionStorage.setItem(sendKeyOf(session), 'yes')
}

/** @returns the files that were prepared, once */
export const takeFiles = (session: string | undefined): readonly Schemas['Attachment'][] => {
  const text = session === undefined ? null : sessionStorage.getItem(filesKeyOf(session))
  if (session === undefined || text === null) return []
  sessionStorage.removeItem(filesKeyOf(session))
  // This tab wrote it.
  return JSON.parse(text) as Schemas['Attachment'][]
}

/** @returns whether the draft is to be sent at once; it is so once */
export const takeSend = (session: string | undefined): boolean => {
  if (session === undefined || sessionStorage.getItem(sendKeyOf(session)) === null) return false
  sessionStorage.removeItem(sendKeyOf(session))
  return true
}

const projectKey = 'steward-chat-project'

/** The project that messages are about, in this tab; empty = none. */
export const readProject = (): string => sessionStorage.getItem(projectKey) ?? ''

export const keepProject = (id: string): void => {
  if (id === '') sessionStorage.removeItem(projectKey)
  else sessionStorage.setItem(projectKey, id)
}
