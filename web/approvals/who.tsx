import type { Schemas } from '../api/client'
import { useResource } from '../api/resource'
import { readDetails, type Approval } from './approval'
import { say } from '../texts/say'

type Details = Schemas['ConfirmationDetails']

/** Of a question, as far as it says who decides. */
type Deciding = Pick<Details, 'requirement' | 'approvers' | 'requested_by'>

type Groups = Details['approvers']['groups']

const describePeople = (count: number, groups: Groups): string => {
  const people = say('who.people', { count })
  return groups.length > 0
    ? say('who.of', { people, groups: groups.map(({ name }) => name).join(say('who.or')) })
    : say('who.any', { people })
}

/** @returns such as "2 people of Operations, not Ada"; of policies with groups of their own, "… and 1 person of Leads" */
export const describeNeeds = ({ requirement, approvers: { groups }, requested_by: by }: Deciding): string => {
  const { approvals, each = [] } = requirement
  const who = each.length === 0
    ? describePeople(approvals, groups)
    : each.map((one) => describePeople(one.approvals, groups.filter(({ id }) => one.groups.includes(id))))
      .join(say('who.and'))
  return requirement.exclude_requester ? say('who.not', { who, name: by.name }) : who
}

/** @returns the policies that ask for it; empty = none */
export const describePolicies = ({ policies, policy_version: version }: Details['requirement']): string =>
  policies.length === 0
    ? ''
    : say('who.policy', { count: policies.length, names: policies.join(', '), version: `${version}` })

export const describeApprovers = ({ people }: Details['approvers']): string =>
  people >= 1_000 ? say('who.thousand') : say('who.people', { count: people })

/** What everybody sees of a question that waits: by which rule it waits, and for whom. */
export const WhoDecides = ({ of }: { of: Approval }) => {
  // The stream and lists do not count who may approve; a vote, or an edit, can change it.
  const { data } = useResource([of.id, of.votes?.length ?? 0], async (signal) =>
    readDetails(of.id, signal).catch(() => undefined))
  if (!data || data.status !== 'pending') return null
  const policies = describePolicies(data.requirement)
  const needs = describeNeeds(data)
  const people = describeApprovers(data.approvers)
  return (
    <p class='small muted'>
      {policies === '' ? say('who.needs', { needs }) : say('who.needsBy', { needs, policies })}{' '}
      {say(data.may_approve ? 'who.youToo' : 'who.notYou', { people })}
    </p>
  )
}
