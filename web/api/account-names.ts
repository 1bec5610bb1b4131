import type { Schemas } from './client'

type Account = Pick<Schemas['CloudAccount'], 'id' | 'name' | 'aws_account_id'>

/** @returns the names of cloud accounts by their ids; those of the same name with the number that AWS gave them */
export const namesOfAccounts = (accounts: readonly Account[]): Record<string, string> => {
  const isShared = (name: string): boolean => accounts.filter((one) => one.name === name).length > 1
  return Object.fromEntries(accounts.map(({ id, name, aws_account_id: number }) =>
    [id, isShared(name) && number ? `${name} (${number})` : name]))
}
