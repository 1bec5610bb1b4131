import {
  addMember, listKnownGroups, removeMember, updateIdentity, type IdentityRow, type ProviderRow
} from '../../../../db/account/identities.js'
import { updateGroup } from '../../../../db/account/groups.js'
import { findUser, hasActiveAdmin, updateUser } from '../../../../db/account/users.js'
import type { Db } from '../../../../db/index.js'
import { ranks, type Role } from '../../../../schemas/account/users.js'

/** @returns the highest role that the rules give; null = none of them gives one */
export const roleOf = ({ rules }: Pick<ProviderRow, 'rules'>, groups: readonly string[]): Role | null => {
  const given = rules.flatMap(({ value, role }) => role !== undefined && groups.includes(value) ? [role] : [])
  return given.reduce<Role | null>((best, role) => best === null || ranks[role] > ranks[best] ? role : best, null)
}

const setRole = async (trx: Db, { workspace_id: workspaceId }: ProviderRow, userId: string, role: Role) => {
  await updateUser(trx, workspaceId, userId, { role })
  // The last admin stays one, whatever the provider says.
  if (!await hasActiveAdmin(trx, workspaceId)) await updateUser(trx, workspaceId, userId, { role: 'admin' })
}

/**
 * A role that an admin gave holds until the rules give another one than at the last sign-in. Where they give none any
 * more, who was a person here before has the role of then again.
 */
const followRole = async (trx: Db, provider: ProviderRow, identity: IdentityRow, groups: readonly string[]) => {
  const { workspace_id: workspaceId } = provider
  const { id, user_id: userId, joined_by, rule_role: before, own_role: own } = identity
  const ruled = roleOf(provider, groups) ?? (joined_by === 'rule' ? provider.role : null)
  if (ruled === before) return
  const user = await findUser(trx, workspaceId, userId)
  const kept = own ?? (before === null && joined_by !== 'rule' ? user?.role ?? null : null)
  await setRole(trx, provider, userId, ruled ?? kept ?? provider.role)
  await updateIdentity(trx, workspaceId, id, { rule_role: ruled, own_role: ruled === null ? null : kept })
}

/** Puts the person into the groups that the rules give, and takes them out of those that only the rules gave. */
const followGroups = async (trx: Db, provider: ProviderRow, identity: IdentityRow, groups: readonly string[]) => {
  const { workspace_id: workspaceId, rules } = provider
  const { id, user_id: userId, groups: before } = identity
  const named = rules.flatMap(({ value, group_id: groupId }) =>
    groupId !== undefined && groups.includes(value) ? [groupId] : [])
  const wanted = await listKnownGroups(trx, workspaceId, [...new Set(named)])
  const given: string[] = []
  for (const groupId of wanted) {
    const isNew = await addMember(trx, workspaceId, groupId, userId)
    // An admin reads the group again before changing it.
    if (isNew) await updateGroup(trx, workspaceId, groupId, undefined)
    if (isNew || before.includes(groupId)) given.push(groupId)
  }
  for (const groupId of before.filter((one) => !wanted.includes(one))) {
    await removeMember(trx, workspaceId, groupId, userId)
    await updateGroup(trx, workspaceId, groupId, undefined)
  }
  if (given.join() !== before.join()) await updateIdentity(trx, workspaceId, id, { groups: given })
}

/**
 * Applies the provider's rules to a person, in a transaction that has locked the workspace.
 * @param groups what the provider's claim names
 */
export const followRules = async (trx: Db, provider: ProviderRow, identity: IdentityRow,
  groups: readonly string[]): Promise<void> => {
  await followRole(trx, provider, identity, groups)
  await followGroups(trx, provider, identity, groups)
}
