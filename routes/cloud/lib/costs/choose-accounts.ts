import type { FastifyInstance } from 'fastify'
import { findAccount, listAccounts, type AccountRow } from '../../../../db/cloud/accounts.js'
import { requireAccess } from '../../../../lib/access/require-access.js'
import { resourceOfAccount } from '../../../../lib/access/resources.js'
import { visibleAccounts } from '../../../../lib/access/role-on.js'
import { readAccountNumber } from '../../../../lib/aws/account-number.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { whyUnusable } from '../../../../schemas/cloud/accounts.js'
import type { SourceError } from '../../../../schemas/common.js'
import { ApiError } from '../../../../schemas/errors.js'
import { AccountUnusable, CloudAccountNotFound } from '../errors.js'
import { awsDetailOf } from '../../../../lib/aws/errors.js'

type Deps = Pick<FastifyInstance, 'db' | 'aws'>

/** An account whose costs are read; `excluded`: the linked accounts whose own registrations are read. */
export interface CountedAccount { account: AccountRow, excluded: string[] }

export interface Chosen { accounts: CountedAccount[], errors: SourceError[], notes: string[] }

/** @param part what could not be read, where the account answered the rest */
export const toSourceError = (account: AccountRow, error: ApiError, part?: string): SourceError => {
  const aws = awsDetailOf(error)
  const detail = part === undefined ? error.message : `${part} could not be read: ${error.message}`
  return { account_id: account.id, region: null, code: error.code, detail, aws_request_id: aws.request_id ?? null }
}

interface Numbered { account: AccountRow, number: string }

/** Orders accounts by their permission to read costs: granted, untested, unknown, denied. */
const rank = ({ account: { capabilities } }: Numbered): number => ['ok', undefined, 'unknown', 'denied']
  .indexOf(capabilities.costs)

const isBetter = (one: Numbered, held: Numbered | undefined): boolean => held === undefined || rank(one) < rank(held)

/** Several registrations of one AWS account have the same costs: only one of them is read. */
const onePerNumber = (all: Numbered[]): Numbered[] => {
  const chosen = new Map<string, Numbered>()
  for (const one of all) if (isBetter(one, chosen.get(one.number))) chosen.set(one.number, one)
  return [...chosen.values()]
}

const noteOf = (chosen: Numbered[]) => ({ account, number }: Numbered): string =>
  `${account.name} is AWS account ${number} too and counts once, as ` +
    `${chosen.find((one) => one.number === number)?.account.name}`

/** Without its number an account could be one that is counted already, so it is left out and named. */
const numberAll = async (deps: Deps, accounts: AccountRow[]) => {
  const numbered: Numbered[] = []
  const failures: { account: AccountRow, error: ApiError }[] = []
  await Promise.all(accounts.map(async (account) => {
    try {
      numbered.push({ account, number: await readAccountNumber(deps, account) ?? account.id })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.push({ account, error })
    }
  }))
  const positionOf = ({ account }: { account: AccountRow }) => accounts.indexOf(account)
  return { numbered: numbered.sort((a, b) => positionOf(a) - positionOf(b)), failures }
}

const chooseAll = async (deps: Deps, principal: Principal): Promise<Chosen> => {
  const accounts = visibleAccounts(principal, await listAccounts(deps.db, principal.workspace_id))
  const usable = accounts.filter((account) => whyUnusable(account) === undefined)
  const { numbered, failures } = await numberAll(deps, usable)
  if (numbered.length === 0 && failures[0]) throw failures[0].error
  const chosen = onePerNumber(numbered)
  return {
    accounts: chosen.map(({ account, number }) => ({
      account, excluded: chosen.map((one) => one.number).filter((other) => other !== number).sort()
    })),
    errors: failures.map(({ account, error }) => toSourceError(account, error)),
    notes: numbered.filter((one) => !chosen.includes(one)).map(noteOf(chosen))
  }
}

/**
 * @param accountId only this account, with all that it pays for; else all that the principal sees,
 *   each linked account counted once
 * @throws cloud_account_not_found, cloud_account_unusable, and what STS answers when no account has a number
 */
export const chooseAccounts = async (deps: Deps, principal: Principal, accountId: string | undefined):
Promise<Chosen> => {
  if (accountId === undefined) return chooseAll(deps, principal)
  const account = await findAccount(deps.db, principal.workspace_id, accountId)
  if (!account) throw CloudAccountNotFound()
  requireAccess(principal, resourceOfAccount(account), CloudAccountNotFound)
  const refusal = whyUnusable(account)
  if (refusal !== undefined) throw AccountUnusable(refusal, { account_id: accountId })
  return { accounts: [{ account, excluded: [] }], errors: [], notes: [] }
}
