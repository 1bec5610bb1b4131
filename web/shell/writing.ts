import { signal } from '@preact/signals'
import { api, body } from '../api/client'
import { isWithin, navigation } from './pages'
import { me } from './session'

/** Whether the menu has Specs and Content. */
export const writing = signal(false)

/** What this browser remembers, for each workspace: the choice of its person, or that a text was seen. */
const key = (): string => `steward-writing-${me.peek()?.workspace.id ?? ''}`

/** Puts Specs and Content into the menu, or takes them out, whether they are used or not. */
export const showWriting = (isShown: boolean): void => {
  localStorage.setItem(key(), isShown ? 'on' : 'off')
  writing.value = isShown
}

const hasTexts = async (): Promise<boolean> => {
  const params = { query: { limit: 1 } }
  const lists = await Promise.all([
    body(api.GET('/pse/sessions', { params })).catch(() => undefined),
    body(api.GET('/content', { params })).catch(() => undefined)
  ])
  return lists.some((list) => list !== undefined && list.items.length > 0)
}

/** Looks whether there is a spec or content by now, unless the browser remembers. */
export const checkWriting = async (): Promise<void> => {
  const known = localStorage.getItem(key())
  writing.value = known === 'on'
  if (known === null && await hasTexts() && localStorage.getItem(key()) === null) showWriting(true)
}

/** @returns whether the page is one of those that may be out of the menu */
export const isWritingPage = (path: string): boolean =>
  navigation.some(({ onceUsed, entries }) => onceUsed && entries.some((entry) => isWithin(entry, path)))
