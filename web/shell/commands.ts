import { api, body } from '../api/client'
import { navigation } from './pages'
import { me, signOut } from './session'
import { theme } from './theme'

/** Something that the palette finds by its words. */
export interface Command {
  key: string
  label: string
  /** What kind of thing it is, such as a page or a chat. */
  kind: string
  /** An address of the client, or what is done. */
  to: string | (() => void)
}

const settings: [string, string][] = [
  ['tokens', 'API tokens'], ['preferences', 'Preferences'], ['away', 'While I am away'], ['grants', 'Grants'],
  ['connections', 'Connections'], ['tools', 'Tool servers']
]
const adminSettings: [string, string][] = [
  ['members', 'People'], ['groups', 'Groups'], ['identity', 'Sign-in'], ['policies', 'Policies'], ['record', 'Record']
]

const page = (label: string, to: string): Command => ({ key: to, label, kind: 'Page', to })

const actions: Command[] = [
  { key: 'new-chat', label: 'New chat', kind: 'Action', to: '/' },
  { key: 'dark', label: 'Dark theme', kind: 'Action', to: () => { theme.value = 'dark' } },
  { key: 'light', label: 'Light theme', kind: 'Action', to: () => { theme.value = 'light' } },
  { key: 'sign-out', label: 'Sign out', kind: 'Action', to: () => { void signOut() } }
]

/** @returns the pages that the person may open, and what can be done from everywhere */
export const fixedCommands = (): Command[] => {
  const parts = me.value?.role === 'admin' ? [...settings, ...adminSettings] : settings
  const pages = navigation.flatMap(({ entries }) => entries).filter(({ outside }) => !outside)
  return [
    ...pages.map(({ label, href }) => page(label, href)),
    page('Briefs', '/briefs'), page('Standards', '/standards'), page('Reports', '/reports'),
    ...parts.map(([part, label]) => page(`Settings: ${label}`, `/settings/${part}`)),
    ...actions
  ]
}

/** @returns chats whose title or messages have the words */
export const findChats = async (q: string, signal: AbortSignal): Promise<Command[]> => {
  const query = { limit: 8, ...(q !== '' && { q }) }
  const { items } = await body(api.GET('/api/v1/agent/sessions', { params: { query }, signal }))
  return items.map(({ id, title }) => ({ key: id, label: title ?? 'Untitled chat', kind: 'Chat', to: `/chat/${id}` }))
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** @returns those whose label has each word at the start of one of its own, in their order */
export const matching = (commands: readonly Command[], text: string): Command[] => {
  const wanted = wordsOf(text)
  return commands.filter(({ label }) => {
    const own = wordsOf(label)
    return wanted.every((word) => own.some((one) => one.startsWith(word)))
  })
}
