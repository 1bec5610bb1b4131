import type { ComponentType } from 'preact'
import { PageHead } from '../../parts/page-head'
import { lazy } from '../../shell/lazy'
import { me } from '../../shell/session'
import { Assistants } from './assistants'
import { Away } from './away'
import { Connections } from './connections'
import { Grants } from './grants'
import { Groups } from './groups'
import { Members } from './members'
import { isOfAdmins, isPart, labels, SettingsMenu, type Part } from './menu'
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

const parts: Record<Part, ComponentType<PartProps>> = {
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

/** @returns the part of an address; the first where there is none of this name for the person */
const partOf = (tab: string, isAdmin: boolean): Part =>
  isPart(tab) && (isAdmin || !isOfAdmins(tab)) ? tab : 'tokens'

export default function SettingsPage ({ tab = 'tokens', of }: { tab?: string | undefined, of?: string | undefined }) {
  const isAdmin = me.value?.role === 'admin'
  const shown = partOf(tab, me.value === undefined || isAdmin)
  const Shown = parts[shown]
  return (
    <div class='page'>
      <PageHead title={say('settings.title')} part={say(labels[shown])} guide={guides[shown]}>
        <WorkspaceName />
      </PageHead>
      <div class='with-menu'>
        <SettingsMenu current={`/settings/${shown}`} />
        <div class='stack'><Shown of={of} /></div>
      </div>
    </div>
  )
}
