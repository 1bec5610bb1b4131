import type { ComponentType } from 'preact'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { PageHead } from '../../parts/page-head'
import { PartMenu, type MenuGroup } from '../../parts/part-menu'
import { lazy } from '../../shell/lazy'
import { me } from '../../shell/session'
import { Assistants } from './assistants'
import { Away } from './away'
import { Connections } from './connections'
import { Grants } from './grants'
import { Groups } from './groups'
import { Members } from './members'
import { Passkeys } from './passkeys'
import { Preferences } from './preferences'
import { RecordPart } from './record'
import { Tokens } from './tokens'
import { ToolServers } from './tool-servers'
import { WorkspaceName } from './workspace-name'
import { Workspaces } from './workspaces'
import { say } from '../../texts/say'

/** `of`: the group or the person whose page it is. */
interface PartProps { of?: string | undefined }

const parts = {
  tokens: Tokens,
  assistants: Assistants,
  channels: lazy<PartProps>(() => import('./channels'), 'channels'),
  passkeys: Passkeys,
  preferences: Preferences,
  away: Away,
  grants: Grants,
  members: Members,
  groups: Groups,
  identity: lazy<PartProps>(() => import('./identity'), 'identity'),
  policies: lazy<PartProps>(() => import('./policies'), 'policies'),
  connections: Connections,
  model: lazy<PartProps>(() => import('./model'), 'model'),
  tools: ToolServers,
  record: RecordPart,
  workspaces: Workspaces
}
const labels = {
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
type Part = keyof typeof parts

const guides: Record<Part, string> = {
  tokens: 'api',
  assistants: 'oauth',
  channels: 'channels',
  passkeys: 'approvals#signed-approvals',
  preferences: 'web-client',
  away: 'approvals#while-you-are-away',
  grants: 'approvals',
  members: 'access',
  groups: 'access',
  identity: 'sign-in',
  policies: 'policies',
  connections: 'code-host#signing-in-and-connecting',
  model: 'configuration#a-real-model',
  tools: 'tool-servers',
  record: 'record',
  workspaces: 'workspaces'
}

const groups = {
  'settings.group.me': ['tokens', 'assistants', 'channels', 'passkeys', 'preferences', 'away', 'grants', 'connections'],
  'settings.group.people': ['members', 'groups', 'identity'],
  'settings.group.workspace': ['model', 'policies', 'tools', 'record', 'workspaces']
} as const satisfies Record<string, readonly Part[]>

/** The parts that the reader may open, without groups of which that is none. */
const groupsOf = (seen: readonly Part[]): MenuGroup[] =>
  (Object.keys(groups) as (keyof typeof groups)[]).flatMap((title) => { // The keys are those of the groups.
    const items = groups[title].filter((part) => seen.includes(part))
      .map((part): [string, string] => [say(labels[part]), `/settings/${part}`])
    return items.length === 0 ? [] : [{ title: say(title), items }]
  })

const isPart = (text: string): text is Part => Object.hasOwn(parts, text)

/** Only admins may list the members and read the record. */
const ofAdmins = new Set<Part>(['members', 'groups', 'identity', 'policies', 'record'])

/** @returns the part of an address; the first where there is none of this name for the person */
const partOf = (tab: string, isAdmin: boolean): Part =>
  isPart(tab) && (isAdmin || !ofAdmins.has(tab)) ? tab : 'tokens'

export default function SettingsPage ({ tab = 'tokens', of }: { tab?: string | undefined, of?: string | undefined }) {
  const isAdmin = me.value?.role === 'admin'
  const shown = partOf(tab, me.value === undefined || isAdmin)
  const Shown: ComponentType<PartProps> = parts[shown]
  // The workspaces are there for the admins of the installation: for all others they are not found.
  const { data: found } = useResource([isAdmin], async (signal) =>
    isAdmin ? body(api.GET('/account/workspaces', { params: { query: { limit: 1 } }, signal })) : undefined)
  const isSeen = (part: Part): boolean => part === 'workspaces' ? found !== undefined : isAdmin || !ofAdmins.has(part)
  const seen = Object.keys(parts).filter(isPart).filter(isSeen)
  return (
    <div class='page'>
      <PageHead title={say('settings.title')} part={say(labels[shown])} guide={guides[shown]}>
        <WorkspaceName />
      </PageHead>
      <div class='with-menu'>
        <PartMenu label={say('settings.parts')} current={`/settings/${shown}`} groups={groupsOf(seen)} />
        <div class='stack'><Shown of={of} /></div>
      </div>
    </div>
  )
}
