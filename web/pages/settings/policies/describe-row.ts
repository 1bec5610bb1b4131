import { formatLabel, formatOperation } from '../../../parts/label'
import { formatMoney } from '../../../parts/money'
import { locale } from '../../../texts/language'
import { say, type Key } from '../../../texts/say'
import type { Applies, Size, Then, When } from './rows'

const join = (parts: readonly string[], type: 'conjunction' | 'disjunction'): string =>
  new Intl.ListFormat(locale(), { type }).format(parts)

const areas: Record<string, Key> = {
  account: 'policy.area.account',
  agent: 'policy.area.agent',
  cloud: 'policy.area.cloud',
  codehost: 'policy.area.codehost',
  content: 'policy.area.content',
  deployments: 'policy.area.deployments',
  infrastructure: 'policy.area.infrastructure',
  pse: 'policy.area.pse',
  toolservers: 'policy.area.toolservers'
}

/** @returns an area of the API, as the navigation names it */
export const nameArea = (area: string): string => areas[area] ? say(areas[area]) : area

const describeApplies = (applies: Applies): string => {
  if (applies.kind === 'all') return say('row.applies.all')
  if (applies.kind === 'area') return nameArea(applies.area)
  return join(applies.tools.map(formatOperation), 'disjunction')
}

const describeSize = (size: Size): string => {
  if (size.kind === 'cost') return say('row.size.costs', { amount: formatMoney({ amount: String(size.more_than), currency: 'USD' }) })
  const given = { name: formatLabel(size.name), value: size.value }
  return size.is === 'more_than' ? say('row.size.moreThan', given) : say('row.size.atMost', given)
}

/** @returns when a policy applies, such as "Scale service · in production · high risk" */
export const describeWhen = ({ applies, environment, risk, size }: When): string => [
  describeApplies(applies),
  ...environment === '' ? [] : [say('row.in', { environment })],
  ...risk === '' ? [] : [say(risk === 'high' ? 'row.risk.high' : 'row.risk.medium')],
  ...size === null ? [] : [describeSize(size)]
].join(' · ')

/** @returns what follows, such as "Approval by 2 people of SRE · not the requester · signed" */
export const describeThen = (then: Then): string => {
  switch (then.outcome) {
    case 'forbid': return then.reason === '' ? say('row.denied') : say('row.deniedFor', { reason: then.reason })
    case 'run': return [say('row.runs'), ...then.foreign_text ? [say('row.foreign')] : []].join(' · ')
    case 'ask': return [
      then.groups.length === 0
        ? say('row.approval', { count: then.approvals })
        : say('row.approvalOf', { count: then.approvals, groups: join(then.groups, 'disjunction') }),
      ...then.not_requester ? [say('row.notRequester')] : [],
      ...then.signed ? [say('row.signed')] : [],
      ...then.escalate === null
        ? []
        : [say('row.escalates', { groups: join(then.escalate.groups, 'disjunction'), after: then.escalate.after })]
    ].join(' · ')
  }
}
