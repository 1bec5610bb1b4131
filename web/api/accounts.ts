import { api, body, type Schemas } from './client'
import { useResource } from './resource'

type Account = Schemas['CloudAccount']

const limit = 100

const readAccounts = async (signal: AbortSignal): Promise<Account[]> => {
  const accounts: Account[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await body(api.GET('/cloud/accounts', { params: { query: { limit, cursor } }, signal }))
    accounts.push(...page.items)
    cursor = page.next_cursor ?? undefined
  }
  return accounts
}

/** @returns all cloud accounts, to choose from; none until they are loaded */
export const useAccounts = (): Account[] => useResource([], readAccounts).data ?? []

/** @returns what the accounts are for, each once */
export const environmentsOf = (accounts: readonly Account[]): string[] =>
  [...new Set(accounts.flatMap(({ environment }) => environment ?? []))].sort()
