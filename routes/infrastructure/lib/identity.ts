/** A parsed reference to a cluster, service or function; a name is not looked up yet. */
export type Named =
  { kind: 'id', account_id: string, region: string, path: string[] } |
  { kind: 'arn', aws_account_id: string, region: string, resource: string } |
  { kind: 'name', name: string }

const arnForm = /^arn:aws[\w-]*:[a-z-]+:([a-z0-9-]+):(\d{12}):(.+)$/

/** `~` is in no name of ECS or Lambda and in no id of ours, so splitting is exact. */
export const parseReference = (text: string): Named => {
  const [account, region, ...path] = text.split('~')
  if (account && region && path.length > 0) return { kind: 'id', account_id: account, region, path }
  const arn = arnForm.exec(text)
  return arn?.[1] && arn[2] && arn[3]
    ? { kind: 'arn', region: arn[1], aws_account_id: arn[2], resource: arn[3] }
    : { kind: 'name', name: text }
}

export const makeId = (...parts: string[]): string => parts.join('~')

/** @returns the last part of an ARN's path: a cluster's, service's or task's name */
export const nameOf = (arn: string | undefined): string => arn?.split('/').at(-1) ?? ''

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @returns whether the database could hold the text as an account's id */
export const isAccountId = (text: string): boolean => idForm.test(text)
