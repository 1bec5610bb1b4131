import { locale } from '../../texts/language'
import { say, type Key } from '../../texts/say'

const areas: Record<string, Key> = {
  agent: 'area.agent',
  cloud: 'area.cloud',
  infrastructure: 'area.infrastructure',
  deployments: 'area.deployments',
  codehost: 'area.codehost',
  pse: 'area.pse',
  content: 'area.content',
  account: 'area.account'
}

const whole = Object.keys(areas).length

const join = (texts: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction' }).format(texts)

const areasWith = (scopes: readonly string[], right: string): string[] =>
  Object.keys(areas).filter((area) => scopes.includes(`${area}:${right}`))

/** @returns areas in words; undefined for none */
const nameAreas = (found: readonly string[]): string | undefined => {
  if (found.length === 0) return undefined
  return found.length === whole
    ? say('area.everything')
    : join(found.map((area) => areas[area] ? say(areas[area]) : area))
}

/** @returns what scopes allow, in words; a scope that is not known stays as it is */
export const describeScopes = (scopes: readonly string[]): string => {
  const [reads, writes] = [areasWith(scopes, 'read'), areasWith(scopes, 'write')]
  const known = new Set([...reads.map((area) => `${area}:read`), ...writes.map((area) => `${area}:write`)])
  const others = scopes.filter((scope) => !known.has(scope) && scope !== 'approvals:write')
  const decides = scopes.includes('approvals:write') ? say('area.decide') : undefined
  const [read, changed] = [nameAreas(reads), nameAreas(writes)]
  const parts = [
    read && say('area.read', { areas: read }), changed && say('area.change', { areas: changed }), decides, ...others
  ]
  const text = join(parts.filter((part) => part !== undefined))
  return text === '' ? say('area.nothing') : text.charAt(0).toUpperCase() + text.slice(1)
}
