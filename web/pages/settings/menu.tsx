import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { PartMenu, type MenuGroup } from '../../parts/part-menu'
import { me } from '../../shell/session'
import { say } from '../../texts/say'

export const labels = {
  tokens: 'settings.tokens',
  assistants: 'assistant.title',
  channels: 'settings.channels',
  passkeys: 'settings.passkeys',
  preferences: 'settings.preferences',
  away: 'away.title',
  grants: 'grants.title',
  members: 'common.people',
  groups: 'group.title',
  identity: 'settings.identity',
  policies: 'settings.policies',
  connections: 'settings.connections',
  model: 'settings.model',
  tools: 'settings.tools',
  record: 'settings.record',
  workspaces: 'settings.workspaces'
} as const
export type Part = keyof typeof labels

/** Parts that are pages of their own. */
const pages = {
  projects: 'nav.projects',
  accounts: 'nav.accounts'
} as const
type Item = Part | keyof typeof pages

const groups = {
  'settings.group.me': ['tokens', 'assistants', 'channels', 'passkeys', 'preferences', 'away', 'grants', 'connections'],
  'settings.group.people': ['members', 'groups', 'identity'],
  'settings.group.workspace': ['projects', 'accounts', 'model', 'policies', 'tools', 'record', 'workspaces']
} as const satisfies Record<string, readonly Item[]>

/** Only admins may list the members and read the record. */
const ofAdmins = new Set<string>(['members', 'groups', 'identity', 'policies', 'record'])

export const isOfAdmins = (part: Part): boolean => ofAdmins.has(part)

export const isPart = (text: string): text is Part => Object.hasOwn(labels, text)

const toLink = (item: Item): [string, string] =>
  isPart(item) ? [say(labels[item]), `/settings/${item}`] : [say(pages[item]), `/${item}`]

/** The settings that the reader may open, without groups of which that is none. */
export const SettingsMenu = ({ current }: { current: string }) => {
  const isAdmin = me.value?.role === 'admin'
  // The workspaces are there for the admins of the installation: for all others they are not found.
  const { data: found } = useResource([isAdmin], async (signal) =>
    isAdmin ? body(api.GET('/account/workspaces', { params: { query: { limit: 1 } }, signal })) : undefined)
  const isSeen = (item: Item): boolean =>
    item === 'workspaces' ? found !== undefined : isAdmin || !ofAdmins.has(item)
  // The keys are those of the groups.
  const seen = (Object.keys(groups) as (keyof typeof groups)[]).flatMap((title): MenuGroup[] => {
    const items = groups[title].filter(isSeen).map(toLink)
    return items.length === 0 ? [] : [{ title: say(title), items }]
  })
  return <PartMenu label={say('settings.parts')} current={current} groups={seen} />
}
