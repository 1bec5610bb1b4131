const areas: Record<string, string> = {
  agent: 'the assistant',
  cloud: 'cloud accounts and costs',
  infrastructure: 'containers and functions',
  deployments: 'apps and builds',
  codehost: 'repositories',
  pse: 'specs',
  content: 'content',
  account: 'the workspace'
}

const whole = Object.keys(areas).length
const list = new Intl.ListFormat('en', { type: 'conjunction' })

const areasWith = (scopes: readonly string[], right: string): string[] =>
  Object.keys(areas).filter((area) => scopes.includes(`${area}:${right}`))

const phrase = (verb: string, found: readonly string[]): string | undefined => {
  if (found.length === 0) return undefined
  return `${verb} ${found.length === whole ? 'everything' : list.format(found.map((area) => areas[area] ?? area))}`
}

/** @returns what scopes allow, in words; a scope that is not known stays as it is */
export const describeScopes = (scopes: readonly string[]): string => {
  const [reads, writes] = [areasWith(scopes, 'read'), areasWith(scopes, 'write')]
  const known = new Set([...reads.map((area) => `${area}:read`), ...writes.map((area) => `${area}:write`)])
  const others = scopes.filter((scope) => !known.has(scope) && scope !== 'approvals:write')
  const decides = scopes.includes('approvals:write') ? 'decide approvals' : undefined
  const parts = [phrase('read', reads), phrase('change', writes), decides, ...others]
  const text = list.format(parts.filter((part) => part !== undefined))
  return text === '' ? 'nothing' : text.charAt(0).toUpperCase() + text.slice(1)
}
