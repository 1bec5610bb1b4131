import type { Schemas } from '../../api/client'

type Group = Pick<Schemas['CostGroup'], 'keys'>

/** What a person looks at, as the address has it; an empty text chooses nothing. */
export interface Filters { service: string, tag: string, value: string }

/** How costs are asked for, which of them are shown, and by what they are grouped. */
export interface View {
  group_by: string
  /** The heading of the groups. */
  by: string
  keep: (group: Group) => boolean
  nameOf: (group: Group) => string
  /** The filter that a group's name can be chosen for; undefined where nothing lies below. */
  below: 'service' | 'value' | undefined
}

const first = ({ keys: [key = ''] }: Group): string => key
const second = ({ keys: [, key = ''] }: Group): string => key

/** AWS groups by two things at once; so a filter is one of the two, and what is shown is the other. */
export const viewOf = ({ service, tag, value }: Filters): View => {
  if (tag !== '') {
    const group_by = `TAG:${tag},SERVICE`
    const isOfService = (group: Group) => service === '' || second(group) === service
    if (value === '') return { group_by, by: tag, keep: isOfService, nameOf: first, below: 'value' }
    const keep = (group: Group) => first(group) === value && isOfService(group)
    return { group_by, by: 'Service', keep, nameOf: second, below: service === '' ? 'service' : undefined }
  }
  if (service !== '') {
    const keep = (group: Group) => first(group) === service
    return { group_by: 'SERVICE,USAGE_TYPE', by: 'Usage', keep, nameOf: second, below: undefined }
  }
  return { group_by: 'SERVICE,RECORD_TYPE', by: 'Service', keep: () => true, nameOf: first, below: 'service' }
}
