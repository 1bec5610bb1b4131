/** An unsent message survives a reload of the tab. */
const keyOf = (session: string | undefined) => `steward-draft-${session ?? 'new'}`

export const readDraft = (session: string | undefined): string => sessionStorage.getItem(keyOf(session)) ?? ''

export const keepDraft = (session: string | undefined, text: string): void => {
  if (text === '') sessionStorage.removeItem(keyOf(session))
  else sessionStorage.setItem(keyOf(session), text)
}
