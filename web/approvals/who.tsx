import type { Schemas } from '../api/client'
import { useResource } from '../api/resource'
import { readDetails, type Approval } from './approval'

type Details = Schemas['ConfirmationDetails']

/** Of a question, as far as it says who decides. */
type Deciding = Pick<Details, 'requirement' | 'approvers' | 'requested_by'>

const count = new Intl.NumberFormat()

/** @returns such as "2 people of Operations, not Ada" */
export const describeNeeds = ({ requirement, approvers: { groups }, requested_by: by }: Deciding): string => {
  const people = requirement.approvals === 1 ? '1 person' : `${requirement.approvals} people`
  const who = groups.length > 0 ? `of ${groups.map(({ name }) => name).join(' or ')}` : 'who may approve it'
  return `${people} ${who}${requirement.exclude_requester ? `, not ${by.name}` : ''}`
}

/** @returns the policies that ask for it; empty = none */
export const describePolicies = ({ policies, policy_version: version }: Details['requirement']): string =>
  policies.length === 0
    ? ''
    : `${policies.length === 1 ? 'policy' : 'policies'} ${policies.join(', ')}, version ${version}`

export const describeApprovers = ({ people }: Details['approvers']): string =>
  people >= 1_000 ? '1,000 or more people' : people === 1 ? '1 person' : `${count.format(people)} people`

/** What everybody sees of a question that waits: by which rule it waits, and for whom. */
export const WhoDecides = ({ of }: { of: Approval }) => {
  // The stream and lists do not count who may approve; a vote, or an edit, can change it.
  const { data } = useResource([of.id, of.votes?.length ?? 0], async (signal) =>
    readDetails(of.id, signal).catch(() => undefined))
  if (!data || data.status !== 'pending') return null
  const policies = describePolicies(data.requirement)
  return (
    <p class='small muted'>
      Needs {describeNeeds(data)}{policies === '' ? '; no policy asks for more' : `, by ${policies}`}.{' '}
      {describeApprovers(data.approvers)} may approve it now{data.may_approve ? ', you too' : ', and you may not'}.
    </p>
  )
}
