import type { Schemas } from '../../api/client'

export type Scope = Schemas['Scope']

const areas: Record<string, string> = {
  agent: 'conversations with the assistant',
  cloud: 'cloud accounts and costs',
  infrastructure: 'clusters, services, functions and logs',
  deployments: 'apps and builds',
  pse: 'specs and standards',
  content: 'briefs, content and brands',
  codehost: 'repositories at the code host',
  account: 'people, groups and settings'
}

export const isRead = (scope: Scope): boolean => !scope.endsWith(':write')

/** @returns a scope in words, after "read" or "propose" */
export const wordsOf = (scope: Scope): string => {
  if (scope === 'codehost:email') return 'e-mail addresses in commits'
  if (scope === 'agent:write') return 'anything at all: without this it only reads'
  const area = scope.split(':')[0] ?? ''
  const words = areas[area] ?? area
  return isRead(scope) ? words : `changes of ${words}`
}

const ways = { mcp: 'by its tools (MCP)', api: 'by the API' }

export const wayOf = (resource: Schemas['AuthorizationRequest']['resource']): string => ways[resource]
