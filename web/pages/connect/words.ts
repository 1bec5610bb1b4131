import type { Schemas } from '../../api/client'
import { say, type Key } from '../../texts/say'

export type Scope = Schemas['Scope']

const areas: Record<string, Key> = {
  agent: 'connect.area.agent',
  cloud: 'connect.area.cloud',
  infrastructure: 'connect.area.infrastructure',
  deployments: 'connect.area.deployments',
  pse: 'connect.area.pse',
  content: 'connect.area.content',
  codehost: 'connect.area.codehost',
  account: 'connect.area.account'
}

/** Given by a box of its own, and never with the others. */
export const toApprove: Scope = 'approvals:write'

export const isRead = (scope: Scope): boolean => !scope.endsWith(':write')

/** @returns a scope in words, after "read" or "propose" */
export const wordsOf = (scope: Scope): string => {
  if (scope === 'codehost:email') return say('connect.email')
  if (scope === 'agent:write') return say('connect.anything')
  const area = scope.split(':')[0] ?? ''
  const words = areas[area] ? say(areas[area]) : area
  return isRead(scope) ? words : say('connect.changes', { area: words })
}

const ways = { mcp: 'connect.byTools', api: 'connect.byApi' } as const

export const wayOf = (resource: Schemas['AuthorizationRequest']['resource']): string =>
  say(ways[resource])
