import { helpPages, navigation } from './pages'
import { me, signOut } from './session'
import { theme } from './theme'
import { say, type Key } from '../texts/say'
import { chooseLanguage } from '../texts/language'

/** Something that the palette finds by its words. */
export interface Command {
  key: string
  label: string
  /** What kind of thing it is, such as a page or an app. */
  kind: string
  /** An address of the client, or what is done. */
  to: string | (() => void)
}

const settings: [string, Key][] = [
  ['tokens', 'palette.tokens'], ['preferences', 'palette.preferences'], ['away', 'palette.away'],
  ['grants', 'palette.grants'], ['connections', 'palette.connections'], ['tools', 'palette.tools']
]
const adminSettings: [string, Key][] = [
  ['members', 'palette.members'], ['groups', 'palette.groups'], ['identity', 'palette.identity'],
  ['policies', 'palette.policies'], ['record', 'palette.record']
]
/** Pages that the navigation does not have. */
const morePages: [string, Key][] = [
  ['/projects', 'nav.projects'], ['/accounts', 'nav.accounts'],
  ['/briefs', 'palette.briefs'], ['/standards', 'palette.standards'], ['/reports', 'palette.reports']
]

const page = (label: string, to: string): Command => ({ key: to, label, kind: say('palette.page'), to })

const doings: [Key, Command['to']][] = [
  ['palette.newChat', '/'],
  ['palette.darkTheme', () => { theme.value = 'dark' }],
  ['palette.lightTheme', () => { theme.value = 'light' }],
  ['palette.language.browser', () => chooseLanguage('browser')],
  ['palette.language.en', () => chooseLanguage('en')],
  ['palette.language.de', () => chooseLanguage('de')],
  ['shell.signOut', () => { void signOut() }]
]

/** @returns the pages that the person may open, and what can be done from everywhere */
export const fixedCommands = (): Command[] => {
  const parts = me.value?.role === 'admin' ? [...settings, ...adminSettings] : settings
  const pages = navigation.flatMap(({ entries }) => entries)
  return [
    ...pages.map(({ label, href }) => page(say(label), href)),
    ...helpPages.map(({ label, href }) => ({ ...page(say(label), href), to: () => { location.assign(href) } })),
    ...morePages.map(([href, label]) => page(say(label), href)),
    ...parts.map(([part, label]) => page(say('palette.settings', { part: say(label) }), `/settings/${part}`)),
    ...doings.map(([label, to]) => ({ key: label, label: say(label), kind: say('palette.action'), to }))
  ]
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
