import type { Row, Size, Then } from './rows'

/** A row as its form has it: everything that may be typed, also what its outcome leaves out. */
export interface Fields {
  id: string
  note: string
  applies: 'all' | 'area' | 'tools'
  area: string
  tools: string
  environment: string
  risk: Row['when']['risk']
  size: '' | 'cost' | 'more_than' | 'at_most'
  cost: number
  argument: string
  value: number
  outcome: Then['outcome']
  approvals: number
  groups: string
  not_requester: boolean
  signed: boolean
  escalate_to: string
  escalate_after: string
  foreign_text: boolean
  reason: string
}

export const newRow: Row = {
  id: '',
  note: '',
  when: { applies: { kind: 'all' }, environment: '', risk: '', size: null },
  then: { outcome: 'ask', approvals: 1, groups: [], not_requester: true, signed: false, escalate: null }
}

const words = (text: string): string[] => text.split(',').map((word) => word.trim()).filter((word) => word !== '')

export const toFields = ({ id, note, when: { applies, environment, risk, size }, then }: Row): Fields => ({
  id,
  note,
  applies: applies.kind,
  area: applies.kind === 'area' ? applies.area : '',
  tools: applies.kind === 'tools' ? applies.tools.join(', ') : '',
  environment,
  risk,
  size: size === null ? '' : size.kind === 'cost' ? 'cost' : size.is,
  cost: size?.kind === 'cost' ? size.more_than : 10,
  argument: size?.kind === 'argument' ? size.name : '',
  value: size?.kind === 'argument' ? size.value : 10,
  outcome: then.outcome,
  approvals: then.outcome === 'ask' ? then.approvals : 1,
  groups: then.outcome === 'ask' ? then.groups.join(', ') : '',
  not_requester: then.outcome === 'ask' && then.not_requester,
  signed: then.outcome === 'ask' && then.signed,
  escalate_to: then.outcome === 'ask' ? (then.escalate?.groups ?? []).join(', ') : '',
  escalate_after: then.outcome === 'ask' ? then.escalate?.after ?? '' : '',
  foreign_text: then.outcome === 'run' && then.foreign_text,
  reason: then.outcome === 'forbid' ? then.reason : ''
})

const sizeOf = ({ size, cost, argument, value }: Fields): Size | null => {
  if (size === '') return null
  return size === 'cost' ? { kind: 'cost', more_than: cost } : { kind: 'argument', name: argument.trim(), is: size, value }
}

const thenOf = (fields: Fields): Then => {
  switch (fields.outcome) {
    case 'forbid': return { outcome: 'forbid', reason: fields.reason.trim() }
    case 'run': return { outcome: 'run', foreign_text: fields.foreign_text }
    case 'ask': {
      const [to, after] = [words(fields.escalate_to), fields.escalate_after.trim()]
      return {
        outcome: 'ask',
        approvals: fields.approvals,
        groups: words(fields.groups),
        not_requester: fields.not_requester,
        signed: fields.signed,
        escalate: to.length === 0 || after === '' ? null : { groups: to, after }
      }
    }
  }
}

/** @returns the name as policies take it: "Two for production" is Two-for-production */
const nameIn = (text: string): string => text.trim().replaceAll(/[^A-Za-z0-9._-]+/g, '-')

/** @returns the row that the form describes */
export const toRow = (fields: Fields): Row => {
  const { id, note, applies, area, tools, environment, risk } = fields
  return {
    id: nameIn(id),
    note,
    when: {
      applies: applies === 'all'
        ? { kind: 'all' }
        : applies === 'area' ? { kind: 'area', area } : { kind: 'tools', tools: words(tools) },
      environment: environment.trim(),
      risk,
      size: sizeOf(fields)
    },
    then: thenOf(fields)
  }
}

/** @returns whether everything that its choices need is there */
export const isComplete = ({ applies, area, tools, size, argument, escalate_to: to, escalate_after: after }: Fields): boolean =>
  (applies !== 'area' || area !== '') && (applies !== 'tools' || words(tools).length > 0) &&
  (size === '' || size === 'cost' || /^[A-Za-z_]\w*$/.test(argument.trim())) &&
  (words(to).length > 0) === (after.trim() !== '')
